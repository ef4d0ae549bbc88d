import path from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { Throttle } from "../base/throttle.ts";
import type { Budget } from "../budget/budget.ts";
import { listBudgets } from "../budget/budget-store.ts";
import type { BudgetPorts } from "../budget/check-budget.ts";
import { convoyOf } from "../budget/convoy-of.ts";
import { gitBranch } from "../budget/git-branch.ts";
import { firstDayKept } from "../budget/period.ts";
import { projectFolder } from "../budget/project-folder.ts";
import { recordTotals } from "../budget/record-totals.ts";
import type { Freshness } from "../ledger/answers.ts";
import type { SpentTokens } from "../ledger/spent-tokens.ts";
import { formatDay } from "../usage/local-day.ts";
import type { ServiceLog } from "./service-log.ts";

type Problem = Freshness["problems"][number];

export interface RecorderPorts {
  /** See `Ledger.takeSpent`. */
  readonly takeSpent: (since: number) => Promise<readonly SpentTokens[]>;
  readonly budgetsOf: (project: string) => BudgetPorts;
  readonly log: ServiceLog;
  readonly clock: Clock;
}

/** Milliseconds. */
const shortestPause = 2000;

/**
 * Records what agents really used where it is limited: in projects with budgets, and nowhere else. What was not recorded, because there
 * is no budget yet or the disk refused it, is kept and told with the next of its project. Until it is told anew at the next
 * start, nothing is lost with the process: the ledger has it.
 */
export class BudgetRecorder implements Disposable {
  readonly #recorded = new Emitter<string>();
  /** Fires with a project's folder when something new was recorded there. */
  readonly onRecorded = this.#recorded.on;
  readonly #ports: RecorderPorts;
  readonly #throttle: Throttle;
  readonly #budgets = new Map<string, BudgetPorts>();
  /** By project, then session: what is not recorded yet. */
  readonly #pending = new Map<string, Map<string, SpentTokens>>();
  readonly #problems = new Map<string, readonly Problem[]>();
  #last: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
    this.#throttle = new Throttle(shortestPause, () => {
      void this.record();
      return true;
    });
  }

  /** Something may be new: it is recorded at once, or when two seconds have passed since the last time. */
  ask(): void {
    this.#throttle.request();
  }

  /** Budgets that cannot be read, and spending that cannot be written: each was also told to the log, once. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].flat();
  }

  /** Records what is new now, after what is being recorded. */
  record(): Promise<void> {
    const done = this.#last.then(() => this.#pass());
    this.#last = done;
    return done;
  }

  /** Records what is new, and ends. */
  async finish(): Promise<void> {
    this.#throttle.dispose();
    await this.record();
    this.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#throttle.dispose();
    this.#recorded.dispose();
  }

  async #pass(): Promise<void> {
    if (this.#isDisposed) return;
    const { takeSpent, clock, log } = this.#ports;
    try {
      const since = new Date(`${firstDayKept(clock.now())}T00:00:00`).getTime();
      for (const project of this.#sort(await takeSpent(since))) await this.#recordIn(project);
    } catch (error) {
      // A ledger that died tells everything again to the next of these.
      log.write("warn", `What agents used is not recorded: ${String(error)}`);
    }
  }

  /** Puts sessions to their projects. Answers the projects. */
  #sort(sessions: readonly SpentTokens[]): ReadonlySet<string> {
    const projects = new Map<string, string>();
    for (const session of sessions) {
      const { cwd, sessionId } = session;
      // Where nobody tells the folder, no project's budget holds.
      if (cwd === null || !path.isAbsolute(cwd)) continue;
      const project = projects.get(cwd) ?? projectFolder(cwd);
      projects.set(cwd, project);
      const pending = this.#pending.get(project) ?? new Map<string, SpentTokens>();
      this.#pending.set(project, pending.set(sessionId, session));
    }
    return new Set(projects.values());
  }

  async #recordIn(project: string): Promise<void> {
    const ports = this.#budgets.get(project) ?? this.#ports.budgetsOf(project);
    this.#budgets.set(project, ports);
    const listed = await listBudgets(ports);
    if (!listed.ok) {
      this.#tell(project, [{ path: project, reason: listed.detail }]);
      return;
    }
    // A damaged budget stops who would spend. What was spent is a fact all the same.
    const damaged = listed.value.flatMap(({ file, stored }): Problem[] =>
      stored.ok ? [] : [{ path: file, reason: stored.detail }],
    );
    const budgets = listed.value.flatMap(({ stored }) => (stored.ok ? [stored.value.budget] : []));
    const failed = listed.value.length === 0 ? [] : await this.#recordPending(project, ports, budgets);
    this.#tell(project, [...damaged, ...failed]);
  }

  async #recordPending(project: string, ports: BudgetPorts, budgets: readonly Budget[]): Promise<Problem[]> {
    const pending = this.#pending.get(project) ?? new Map<string, SpentTokens>();
    const today = formatDay(new Date(this.#ports.clock.now()));
    const totals = [...pending.values()].flatMap(({ sessionId, cwd, branch, spent }) =>
      spent.map((each) => {
        // Not every agent tells of branches. What is checked out now says something of today only.
        const told = each.branch ?? branch;
        const here = told === null && cwd !== null && each.day === today ? gitBranch(cwd) : told;
        const convoyId = convoyOf(budgets, { sessionId, branches: [here, branch] });
        return { ...each, sessionId, convoyId };
      }),
    );
    const done = await recordTotals(totals, ports);
    if (!done.ok) return [{ path: project, reason: done.detail }];
    this.#pending.delete(project);
    if (done.value.isNew) this.#recorded.fire(project);
    return done.value.refused.map((reason) => ({ path: project, reason }));
  }

  #tell(project: string, problems: readonly Problem[]): void {
    const known = new Set((this.#problems.get(project) ?? []).map(keyOf));
    if (problems.length === 0) this.#problems.delete(project);
    else this.#problems.set(project, problems);
    for (const problem of problems)
      if (!known.has(keyOf(problem))) this.#ports.log.write("warn", `Budgets: ${problem.reason}`);
  }
}

function keyOf({ path: place, reason }: Problem): string {
  return `${place}\n${reason}`;
}
