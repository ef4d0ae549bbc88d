import { succeed } from "../../base/result.ts";
import type { Budget } from "../budget.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetPorts } from "../check/check.ts";
import { firstDayKept } from "../period.ts";
import type { SessionTotals } from "../spending/session-totals.ts";

/** How far back a project's sessions are known: to the start of the calendar periods, or to the very first. */
export type Reach = "periods" | "always";

/**
 * Returns the reach that budgets need: those that count all usage need every session, even one that may be resumed later; the others only need
 * this week's and month's.
 */
export function neededReach(budgets: readonly Budget[]): Reach {
  const counted = budgets.flatMap(({ levels }) => Object.values(levels).map(({ period }) => period));
  return counted.includes("total") ? "always" : "periods";
}

/** Totals that one ledger has of a project with budgets: held in memory, and written to the project's files as a whole. */
export class ProjectTotals {
  readonly ports: BudgetPorts;
  readonly reach: Reach;
  readonly #sessions: Map<string, SessionTotals>;
  #firstDay: string;
  #isWritten = false;

  /** @param firstDay the first day whose usage is listed by day */
  constructor(
    ports: BudgetPorts,
    reach: Reach,
    { sessions, firstDay }: { readonly sessions: readonly SessionTotals[]; readonly firstDay: string },
  ) {
    this.ports = ports;
    this.reach = reach;
    this.#firstDay = firstDay;
    this.#sessions = new Map(sessions.map((session) => [session.sessionId, session]));
  }

  /**
   * Whether everything that these budgets count now is known. Not if the clock was ahead in between, so that
   * days were folded too early.
   */
  reaches(budgets: readonly Budget[], now: number): boolean {
    return (
      (this.reach === "always" || neededReach(budgets) === "periods") && this.#firstDay <= firstDayKept(now)
    );
  }

  readonly of = (sessionId: string): SessionTotals | undefined => this.#sessions.get(sessionId);

  /** Adds or replaces a session. @param firstDay the first day whose usage is listed by day */
  take(session: SessionTotals, firstDay: string): void {
    this.#passed(firstDay);
    if (JSON.stringify(this.#sessions.get(session.sessionId)) === JSON.stringify(session)) return;
    this.#sessions.set(session.sessionId, session);
    this.#isWritten = false;
  }

  readonly has = (sessionId: string): boolean => this.#sessions.has(sessionId);

  /** Removes sessions of other projects. Returns whether there were any. */
  dropAll(isElsewhere: (sessionId: string) => boolean): boolean {
    const found = [...this.#sessions.keys()].filter(isElsewhere);
    for (const id of found) this.#sessions.delete(id);
    if (found.length > 0) this.#isWritten = false;
    return found.length > 0;
  }

  /** Writes all sessions, unless the file already has them. @param now milliseconds since the epoch */
  async write(ledgerId: string, now: number): Promise<Budgeted<{ readonly isNew: boolean }>> {
    const { spending } = this.ports;
    if (this.#isWritten && (await spending.hasTotalsBy(ledgerId))) return succeed({ isNew: false });
    if (this.reach === "periods") this.#forgetOld(firstDayKept(now));
    const sessions = [...this.#sessions.values()].toSorted((one, other) =>
      one.sessionId < other.sessionId ? -1 : 1,
    );
    const written = await spending.writeTotals(ledgerId, sessions);
    this.#isWritten = written.ok;
    return written.ok ? succeed({ isNew: true }) : written;
  }

  #passed(firstDay: string): void {
    if (firstDay > this.#firstDay) this.#firstDay = firstDay;
  }

  #forgetOld(first: string): void {
    this.#passed(first);
    for (const [id, { agents }] of this.#sessions)
      if (agents.every(({ day }) => day === null || day < first)) this.#sessions.delete(id);
  }
}
