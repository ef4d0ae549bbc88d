import { type DiffItem, diffItems, type LedgerEntry } from "../../ledger/entries.ts";
import type { WorkItem } from "./items.ts";
import type { Comparison } from "./lost.ts";

/** Items that one compaction kept and lost, and those sent to the agent again. */
export interface ComparedCompaction extends Comparison {
  readonly sessionId: string;
  readonly program: string;
  /** The agent's own word for the trigger. Null if it gives none. */
  readonly trigger: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly told: readonly WorkItem[];
}

/** Makes the ledger's entry of a compaction. */
export function diffEntry(compared: ComparedCompaction): LedgerEntry {
  const { sessionId, program, trigger, at } = compared;
  const items = JSON.stringify(diffItems.parse(itemsOf(compared)));
  return { kind: "compaction-diff", id: diffId(sessionId, at), sessionId, program, trigger, at, items };
}

function diffId(sessionId: string, at: number): string {
  return `${sessionId}:${at}`;
}

function itemsOf({ kept, lost, told }: ComparedCompaction): DiffItem[] {
  const ids = new Set(told.map(({ id }) => id));
  return [
    ...kept.map((item) => ({ ...item, fate: "kept" as const })),
    ...lost.map((item) => ({ ...item, fate: ids.has(item.id) ? ("told" as const) : ("lost" as const) })),
  ];
}

/** Ledger entries for items that a person puts back: when they are chosen, or when they are sent. */
export function putBackEntries(
  put: {
    readonly session: string;
    readonly diff: string;
    readonly items: readonly string[];
  },
  when: { readonly chosenAt: number } | { readonly givenAt: number },
): LedgerEntry[] {
  return put.items.map((itemId) => ({
    kind: "put-back",
    id: `${put.diff}:${itemId}`,
    sessionId: put.session,
    diffId: put.diff,
    itemId,
    ...when,
  }));
}
