import { succeed } from "../base/result.ts";
import type { Budget } from "../budget/budget.ts";
import type { Budgeted } from "../budget/budget-faults.ts";
import type { BudgetPorts } from "../budget/check-budget.ts";
import { firstDayKept } from "../budget/period.ts";
import type { SessionTotals } from "../budget/session-totals.ts";

/** How far back a project's sessions are known: those of the periods of the calendar, or all there ever were. */
export type Reach = "periods" | "always";

/** Budgets that count all that was ever used need every session; the others only those of this week and month. */
export function neededReach(budgets: readonly Budget[]): Reach {
  return budgets.some(({ levels }) => levels.convoy?.period === "total" || levels.project?.period === "total")
    ? "always"
    : "periods";
}

/** What one ledger has of a project with budgets: kept here, and told to the project's files as a whole. */
export class ReckonedProject {
  readonly ports: BudgetPorts;
  readonly reach: Reach;
  readonly #sessions: Map<string, SessionTotals>;
  #isTold = false;

  constructor(ports: BudgetPorts, reach: Reach, sessions: readonly SessionTotals[]) {
    this.ports = ports;
    this.reach = reach;
    this.#sessions = new Map(sessions.map((session) => [session.sessionId, session]));
  }

  readonly of = (sessionId: string): SessionTotals | undefined => this.#sessions.get(sessionId);

  take(session: SessionTotals): void {
    if (JSON.stringify(this.#sessions.get(session.sessionId)) === JSON.stringify(session)) return;
    this.#sessions.set(session.sessionId, session);
    this.#isTold = false;
  }

  readonly has = (sessionId: string): boolean => this.#sessions.has(sessionId);

  /** Lets go of sessions that are another project's. Answers whether there were any. */
  dropAll(isElsewhere: (sessionId: string) => boolean): boolean {
    const found = [...this.#sessions.keys()].filter(isElsewhere);
    for (const id of found) this.#sessions.delete(id);
    if (found.length > 0) this.#isTold = false;
    return found.length > 0;
  }

  /** Writes it all, unless it is there as it is. @param now milliseconds since the epoch */
  async tell(ledgerId: string, now: number): Promise<Budgeted<{ readonly isNew: boolean }>> {
    const { spending } = this.ports;
    if (this.#isTold && (await spending.hasToldBy(ledgerId))) return succeed({ isNew: false });
    if (this.reach === "periods") this.#forgetOld(firstDayKept(now));
    const sessions = [...this.#sessions.values()].toSorted((one, other) =>
      one.sessionId < other.sessionId ? -1 : 1,
    );
    const told = await spending.tellTotals(ledgerId, sessions);
    this.#isTold = told.ok;
    return told.ok ? succeed({ isNew: true }) : told;
  }

  #forgetOld(first: string): void {
    for (const [id, { agents }] of this.#sessions)
      if (agents.every(({ day }) => day === null || day < first)) this.#sessions.delete(id);
  }
}
