import type { PlanLimit, SessionReport } from "../../sessions/reported/session-event.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";

/** Length of Claude Code's named plan limit windows. Minutes. */
const minutes: Readonly<Record<string, number>> = { five_hour: 300, seven_day: 10_080 };

/** Ledger entries of plan limits: one per change, however often a limit is reported. */
export class PlanLimitChanges {
  readonly #last = new Map<string, string>();

  entriesOf({ at, event }: Pick<SessionReport, "at" | "event">): LedgerEntry[] {
    return event.kind === "measured" ? event.planLimits.flatMap((limit) => this.#entryOf(limit, at)) : [];
  }

  /** Makes the next report of each limit count as a change, because the ledger did not accept the last one. */
  forget(): void {
    this.#last.clear();
  }

  #entryOf({ name, usedPercent, resetsAt }: PlanLimit, at: number): LedgerEntry[] {
    const value = JSON.stringify([usedPercent, resetsAt]);
    if (this.#last.get(name) === value) return [];
    this.#last.set(name, value);
    const windowMinutes = minutes[name] ?? null;
    const reset =
      resetsAt === null || !Number.isSafeInteger(Math.round(resetsAt)) ? null : Math.round(resetsAt);
    return [
      {
        kind: "plan-limit",
        program: "claude-code",
        name,
        at: Math.round(at),
        usedPercent,
        windowMinutes,
        resetsAt: reset,
      },
    ];
  }
}
