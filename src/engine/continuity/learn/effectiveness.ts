import type { LedgerEntry } from "../../ledger/entries.ts";
import { phases } from "../../guard/work.ts";
import { withoutIds } from "./conclusion-changes.ts";
import type { LearnTask } from "./task.ts";

/**
 * Which advice, packets and handovers preceded progress, by rule and by phase of the work. If the advice
 * budget does not suffice for all, the most helpful of a phase is sent first.
 */
export const learnEffectiveness: LearnTask = {
  name: "LearnEffectiveness",
  tend: async (store) => {
    const found = await store.ask("phaseOutcomes", null);
    const { effectiveness } = await store.ask("learnedBook", "");
    const now = found.map((each) => ({ id: effectId(each), ...each }));
    const before = new Map(effectiveness.map((each) => [each.id, each]));
    const changed = now.filter(({ id, helped, failed }) => {
      const known = before.get(id);
      return known?.helped !== helped || known.failed !== failed;
    });
    const wanted = new Set(now.map(({ id }) => id));
    const gone = effectiveness.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
    const entries = [
      ...withoutIds("effectiveness", gone),
      ...changed.map((each) => ({ kind: "effectiveness" as const, ...each })),
    ];
    if (entries.length > 0) await store.append(entries);
  },
};

function effectId({ subject, phase }: { readonly subject: string; readonly phase: string }): string {
  return `${subject}@${phase}`;
}

/** Ledger entries that reset the counts of a subject. */
export function effectsForgotten(subject: string): LedgerEntry[] {
  return withoutIds(
    "effectiveness",
    ["", ...phases].map((phase) => effectId({ subject, phase })),
  );
}
