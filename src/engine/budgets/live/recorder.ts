import { existsSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../base/timing/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { Throttle } from "../../base/timing/throttle.ts";
import type { Budget } from "../budget.ts";
import type { BudgetPorts } from "../check/check.ts";
import { gitBranch } from "../git-branch.ts";
import { listBudgets } from "../convoys/list.ts";
import { firstDayKept } from "../period.ts";
import { projectFolder } from "../project-folder.ts";
import type { SessionTotals } from "../spending/session-totals.ts";
import { totalsOf } from "../spending/totals-of.ts";
import type { Freshness } from "../../ledger/answers.ts";
import type { LedgerThread } from "../../ledger/thread/thread.ts";
import type { SpentTokens } from "../../ledger/questions/spent-tokens.ts";
import { formatDay } from "../../usage/local-day.ts";
import { neededReach, ReckonedProject, type Reach } from "./reckoned-project.ts";
import type { ServiceLog } from "../../base/log.ts";

type Problem = Freshness["problems"][number];

export interface RecorderPorts {
  readonly ledger: Pick<LedgerThread, "ask">;
  /** Tells this ledger from any other that the project's files are told by. */
  readonly ledgerId: string;
  readonly budgetsOf: (project: string) => BudgetPorts;
  readonly log: ServiceLog;
  readonly clock: Clock;
}

/** Milliseconds. */
const shortestPause = 2000;

/**
 * Tells budgets what agents really used where it is limited: in projects with budgets, and nowhere else. A project is reckoned as a whole
 * from the ledger when it is first asked about, at every start and when a budget is made; then the sessions that change are. What is told
 * is always all that this ledger has of the project, so that nothing depends on what was told before.
 */
export class BudgetRecorder implements Disposable {
  readonly #recorded = new Emitter<string>();
  /** Fires with a project's folder when something new was recorded there. */
  readonly onRecorded = this.#recorded.on;
  readonly #ports: RecorderPorts;
  readonly #throttle: Throttle;
  readonly #projects = new Map<string, ReckonedProject>();
  readonly #problems = new Map<string, readonly Problem[]>();
  #last: Promise<unknown> = Promise.resolve();
  #isStarted = false;
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

  /** Budgets that cannot be used, and spending that cannot be written: each was also told to the log, once. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].flat();
  }

  /** Records what is new now, after what is being recorded. */
  record(): Promise<void> {
    return this.#alone(() => this.#pass());
  }

  /**
   * Resolves when the project's budgets have been told all that the ledger has of it. At once, where they have: a change is told within
   * seconds anyway.
   *
   * @param project see `projectFolder`
   * @param asked its budgets; and whether what was told is damaged or gone, so that it is to be told anew
   */
  async reckon(
    project: string,
    { budgets, isDoubted = false }: { readonly budgets: readonly Budget[]; readonly isDoubted?: boolean },
  ): Promise<void> {
    const known = this.#projects.get(project);
    if (!isDoubted && known?.reaches(budgets, this.#ports.clock.now()) === true) return;
    await this.#alone(() => this.#recordIn(project, isDoubted));
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

  #alone(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      if (this.#isDisposed) return;
      try {
        await act();
      } catch (error) {
        // A ledger that died tells everything again to the next of these.
        this.#ports.log.write("warn", `What agents used is not recorded: ${String(error)}`);
      }
    });
    this.#last = done;
    return done;
  }

  async #pass(): Promise<void> {
    const { ledger } = this.#ports;
    const firstDay = this.#firstDay();
    const changed = await ledger.ask("takeSpent", timeOf(firstDay));
    if (!this.#isStarted) {
      this.#isStarted = true;
      for (const project of new Set((await ledger.ask("sessionFolders", null)).flatMap(projectOf)))
        await this.#recordIn(project, false);
      return;
    }
    const projects = new Set(this.#projects.keys());
    for (const spent of changed) {
      const project = this.#projectWith(spent);
      if (project === null) continue;
      this.#take(this.#projects.get(project), spent, firstDay);
      projects.add(project);
    }
    for (const project of projects) await this.#recordIn(project, false);
  }

  /** Where nobody tells the folder, no project's budget holds. One that is gone, a removed worktree, is still its project's. */
  #projectWith({ sessionId, cwd }: SpentTokens): string | null {
    const [found] = cwd === null ? [] : projectOf(cwd);
    if (cwd !== null && found !== undefined && existsSync(cwd)) return found;
    const before = [...this.#projects].find(([, { of }]) => of(sessionId) !== undefined);
    return before?.[0] ?? found ?? null;
  }

  async #recordIn(project: string, isDoubted: boolean): Promise<void> {
    const ports = this.#projects.get(project)?.ports ?? this.#ports.budgetsOf(project);
    const listed = await listBudgets(ports);
    if (!listed.ok) {
      this.#tell(project, [{ path: project, reason: listed.detail }]);
      return;
    }
    const { budgets: all, strays } = listed.value;
    // A damaged budget may stop who would spend. What was spent is a fact all the same.
    const unused = [
      ...strays.map(({ file, detail }): Problem => ({ path: file, reason: detail })),
      ...all.flatMap(({ file, stored }): Problem[] =>
        stored.ok ? [] : [{ path: file, reason: stored.detail }],
      ),
    ];
    const budgets = all.flatMap(({ stored }) => (stored.ok ? [stored.value.budget] : []));
    const failed = all.length === 0 ? [] : await this.#tellProject(project, { ports, budgets, isDoubted });
    this.#tell(project, [...unused, ...failed]);
    if (all.length === 0 && this.#projects.delete(project)) await this.#takeBack(project);
  }

  /** A folder that has no budgets any more is a part of the project that it is in. */
  async #takeBack(folder: string): Promise<void> {
    const [around] = projectOf(folder);
    if (around !== undefined && this.#projects.has(around)) await this.#recordIn(around, true);
  }

  async #tellProject(
    project: string,
    { ports, budgets, isDoubted }: { ports: BudgetPorts; budgets: readonly Budget[]; isDoubted: boolean },
  ): Promise<Problem[]> {
    const known = this.#projects.get(project);
    const refused: string[] = [];
    let reckoned = known;
    if (reckoned === undefined || isDoubted || !reckoned.reaches(budgets, this.#ports.clock.now())) {
      reckoned = await this.#reckonAll(project, { ports, reach: neededReach(budgets), refused });
      this.#projects.set(project, reckoned);
      await this.#dropElsewhere(project, reckoned);
    }
    const failure = await this.#write(project, reckoned);
    return [...refused, ...failure].map((reason) => ({ path: project, reason }));
  }

  async #write(project: string, reckoned: ReckonedProject): Promise<string[]> {
    const told = await reckoned.tell(this.#ports.ledgerId, this.#ports.clock.now());
    if (!told.ok) return [told.detail];
    if (told.value.isNew) this.#recorded.fire(project);
    return [];
  }

  async #reckonAll(
    project: string,
    { ports, reach, refused }: { ports: BudgetPorts; reach: Reach; refused: string[] },
  ): Promise<ReckonedProject> {
    const { ledger, ledgerId } = this.#ports;
    const before = new Map(
      (await ports.spending.toldBy(ledgerId)).map((session) => [session.sessionId, session] as const),
    );
    const gone = [...before.values()].flatMap(({ cwd }) => (cwd === null || existsSync(cwd) ? [] : [cwd]));
    const own = (await ledger.ask("sessionFolders", null)).filter((folder) =>
      projectOf(folder).includes(project),
    );
    const folders = [...new Set([...own, ...gone])];
    const firstDay = this.#firstDay();
    const since = timeOf(firstDay);
    const spent = await ledger.ask("spentIn", {
      folders,
      since,
      activeSince: reach === "always" ? 0 : since,
    });
    const sessions = spent.flatMap((each) => {
      const totals = totalsOf(each, this.#branchOf(each, before.get(each.sessionId)));
      if (!totals.ok) refused.push(totals.detail);
      return totals.ok ? [totals.value] : [];
    });
    return new ReckonedProject(ports, reach, { sessions, firstDay });
  }

  /** A folder that has budgets of its own now is no longer a part of the project that it is in. */
  async #dropElsewhere(project: string, { has }: ReckonedProject): Promise<void> {
    for (const [other, reckoned] of this.#projects) {
      if (other !== project && reckoned.dropAll(has)) await this.#write(other, reckoned);
    }
  }

  #take(reckoned: ReckonedProject | undefined, spent: SpentTokens, firstDay: string): void {
    if (reckoned === undefined) return;
    const totals = totalsOf(spent, this.#branchOf(spent, reckoned.of(spent.sessionId)));
    if (totals.ok) reckoned.take(totals.value, firstDay);
    else this.#ports.log.write("warn", `Budgets: ${totals.detail}`);
  }

  /** Not every agent tells of branches. What is checked out says something of a session that works now, and stays said. */
  #branchOf({ branch, cwd, spent }: SpentTokens, before: SessionTotals | undefined): string | null {
    if (branch !== null) return branch;
    if (before !== undefined) return before.branch;
    const today = formatDay(new Date(this.#ports.clock.now()));
    return cwd !== null && spent.some(({ day }) => day === today) ? gitBranch(cwd) : null;
  }

  #firstDay(): string {
    return firstDayKept(this.#ports.clock.now());
  }

  #tell(project: string, problems: readonly Problem[]): void {
    const known = new Set((this.#problems.get(project) ?? []).map(keyOf));
    if (problems.length === 0) this.#problems.delete(project);
    else this.#problems.set(project, problems);
    for (const problem of problems)
      if (!known.has(keyOf(problem))) this.#ports.log.write("warn", `Budgets: ${problem.reason}`);
  }
}

/** When a local day begins. Milliseconds since the epoch. */
function timeOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime();
}

/** None for what is no absolute path. */
function projectOf(folder: string): string[] {
  return path.isAbsolute(folder) ? [projectFolder(folder)] : [];
}

function keyOf({ path: place, reason }: Problem): string {
  return `${place}\n${reason}`;
}
