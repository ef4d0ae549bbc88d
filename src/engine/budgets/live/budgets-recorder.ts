import type { Sentence } from "../../base/language.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { type Clock, Throttle } from "../../base/timing.ts";
import { Emitter, type Disposable } from "../../base/events.ts";
import type { Budget } from "../budget.ts";
import type { BudgetPorts } from "../check/check.ts";
import { gitBranch } from "../git-branch.ts";
import { listBudgets } from "../convoys/list.ts";
import { firstDayKept } from "../period.ts";
import { projectFolder } from "../../base/paths.ts";
import { type SessionTotals, totalsOf } from "../spending/session-totals.ts";
import type { Freshness } from "../../ledger/ledger-answers.ts";
import type { LedgerThread } from "../../ledger/ledger-thread.ts";
import type { SpentTokens } from "../../ledger/questions.ts";
import { formatDay } from "../../usage/local-day.ts";
import { neededReach, ProjectTotals, type Reach } from "./project-totals.ts";
import type { ServiceLog } from "../../base/log.ts";

type Problem = Freshness["problems"][number];

export interface RecorderPorts {
  readonly ledger: Pick<LedgerThread, "ask">;
  /** Identifies this ledger among those that write to the project's files. */
  readonly ledgerId: string;
  readonly budgetsOf: (project: string) => BudgetPorts;
  /**
   * All working copies of the repository that a session's folder, or another machine's project, is of. Default: the
   * folder's own working tree.
   */
  readonly projectsOf?: (folder: string) => readonly string[];
  readonly log: ServiceLog;
  readonly clock: Clock;
}

/** Milliseconds. */
const minPauseMs = 2000;

/**
 * Records the agents' actual usage for budgets, only in projects with budgets. A project is added up as a
 * whole from the ledger on its first check, at every start and when a budget is created; after that, only
 * sessions that change. It always writes everything that this ledger has of the project, so that nothing
 * depends on earlier writes.
 */
export class BudgetRecorder implements Disposable {
  readonly #recorded = new Emitter<string>();
  /** Fires with a project's folder when something new was recorded there. */
  readonly onRecorded = this.#recorded.on;
  readonly #ports: RecorderPorts;
  readonly #throttle: Throttle;
  readonly #projects = new Map<string, ProjectTotals>();
  readonly #problems = new Map<string, readonly Problem[]>();
  #last: Promise<unknown> = Promise.resolve();
  #isStarted = false;
  #isDisposed = false;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
    this.#throttle = new Throttle(minPauseMs, () => {
      void this.record();
      return true;
    });
  }

  /** Requests a recording: at once, or as soon as two seconds have passed since the last one. */
  ask(): void {
    this.#throttle.request();
  }

  /** Unusable budgets and spending that cannot be written; each was also logged once. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].flat();
  }

  /** Records what is new, after a recording in progress. */
  record(): Promise<void> {
    return this.#enqueue(() => this.#pass());
  }

  /**
   * Resolves when all the ledger has of the project is recorded for its budgets. Resolves at once if it was added up before: changes are
   * recorded within seconds anyway.
   *
   * @param project see `projectFolder`
   * @param asked its budgets; and whether the recorded totals are damaged or gone and must be written again
   */
  async sync(
    project: string,
    { budgets, isDoubted = false }: { readonly budgets: readonly Budget[]; readonly isDoubted?: boolean },
  ): Promise<void> {
    const known = this.#projects.get(project);
    if (!isDoubted && known?.reaches(budgets, this.#ports.clock.now()) === true) return;
    await this.#enqueue(() => this.#recordIn(project, isDoubted));
  }

  /** Records what is new, then disposes. */
  async stop(): Promise<void> {
    this.#throttle.dispose();
    await this.record();
    this.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#throttle.dispose();
    this.#recorded.dispose();
  }

  #enqueue(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      if (this.#isDisposed) return;
      try {
        await act();
      } catch (error) {
        // If the ledger died, the next one reports everything again.
        this.#ports.log.write("warn", `What agents used is not recorded: ${String(error)}`);
      }
    });
    this.#last = done;
    return done;
  }

  async #pass(): Promise<void> {
    const { ledger } = this.#ports;
    if (!this.#isStarted) {
      this.#isStarted = true;
      await ledger.ask("takeSpentFolders", null);
      await this.#recordSessionsIn(await ledger.ask("sessionFolders", null));
      return;
    }
    if (this.#projects.size === 0) {
      // Without budgets nothing is added up, and a project that has some by now is read as a whole.
      await this.#recordSessionsIn(await ledger.ask("takeSpentFolders", null));
      return;
    }
    const firstDay = this.#firstDay();
    const changed = await ledger.ask("takeSpent", timeOf(firstDay));
    const projects = new Set(this.#projects.keys());
    for (const spent of changed) {
      for (const project of this.#projectsWith(spent)) {
        this.#take(this.#projects.get(project), spent, firstDay);
        projects.add(project);
      }
    }
    for (const project of projects) await this.#recordIn(project, false);
  }

  async #recordSessionsIn(folders: readonly string[]): Promise<void> {
    for (const project of new Set(folders.flatMap((folder) => this.#projectsOf(folder))))
      await this.#recordIn(project, false);
  }

  /**
   * Returns a session's projects, several for a repository with several working copies; none without a folder, to which no
   * project's budgets can apply. A folder that is gone, such as a removed worktree, still belongs to its project.
   */
  #projectsWith({ sessionId, cwd }: SpentTokens): readonly string[] {
    const found = cwd === null ? [] : this.#projectsOf(cwd);
    if (cwd !== null && found.length > 0 && existsSync(cwd)) return found;
    const before = [...this.#projects].flatMap(([project, { of }]) =>
      of(sessionId) === undefined ? [] : [project],
    );
    return before.length > 0 ? before : found;
  }

  #projectsOf(folder: string): readonly string[] {
    return this.#ports.projectsOf?.(folder) ?? projectOf(folder);
  }

  async #recordIn(project: string, isDoubted: boolean): Promise<void> {
    const ports = this.#projects.get(project)?.ports ?? this.#ports.budgetsOf(project);
    const listed = await listBudgets(ports);
    if (!listed.ok) {
      this.#reportProblems(project, [{ path: project, reason: listed.detail }]);
      return;
    }
    const { budgets: all, strays } = listed.value;
    // A damaged budget may stop new spending. Past spending is recorded all the same.
    const unused = [
      ...strays.map(({ file, detail }): Problem => ({ path: file, reason: detail })),
      ...all.flatMap(({ file, stored }): Problem[] =>
        stored.ok ? [] : [{ path: file, reason: stored.detail }],
      ),
    ];
    const budgets = all.flatMap(({ stored }) => (stored.ok ? [stored.value.budget] : []));
    const failed = all.length === 0 ? [] : await this.#recordProject(project, { ports, budgets, isDoubted });
    this.#reportProblems(project, [...unused, ...failed]);
    if (all.length === 0 && this.#projects.delete(project)) await this.#takeBack(project);
  }

  /** A folder that lost its own budgets becomes part of the project around it. */
  async #takeBack(folder: string): Promise<void> {
    for (const around of this.#projectsOf(folder))
      if (around !== folder && this.#projects.has(around)) await this.#recordIn(around, true);
  }

  async #recordProject(
    project: string,
    { ports, budgets, isDoubted }: { ports: BudgetPorts; budgets: readonly Budget[]; isDoubted: boolean },
  ): Promise<Problem[]> {
    const known = this.#projects.get(project);
    const refused: Sentence[] = [];
    let projectTotals = known;
    if (
      projectTotals === undefined ||
      isDoubted ||
      !projectTotals.reaches(budgets, this.#ports.clock.now())
    ) {
      projectTotals = await this.#syncAll(project, { ports, reach: neededReach(budgets), refused });
      this.#projects.set(project, projectTotals);
      await this.#dropElsewhere(project, projectTotals);
    }
    const failure = await this.#write(project, projectTotals);
    return [...refused, ...failure].map((reason) => ({ path: project, reason }));
  }

  async #write(project: string, totals: ProjectTotals): Promise<Sentence[]> {
    const written = await totals.write(this.#ports.ledgerId, this.#ports.clock.now());
    if (!written.ok) return [written.detail];
    if (written.value.isNew) this.#recorded.fire(project);
    return [];
  }

  async #syncAll(
    project: string,
    { ports, reach, refused }: { ports: BudgetPorts; reach: Reach; refused: Sentence[] },
  ): Promise<ProjectTotals> {
    const { ledger, ledgerId } = this.#ports;
    const before = new Map(
      (await ports.spending.totalsBy(ledgerId)).map((session) => [session.sessionId, session] as const),
    );
    const gone = [...before.values()].flatMap(({ cwd }) =>
      cwd === null || !path.isAbsolute(cwd) || existsSync(cwd) ? [] : [cwd],
    );
    const own = (await ledger.ask("sessionFolders", null)).filter((folder) =>
      this.#projectsOf(folder).includes(project),
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
    return new ProjectTotals(ports, reach, { sessions, firstDay });
  }

  /** A folder that got its own budgets is no longer part of the project around it. */
  async #dropElsewhere(project: string, { has }: ProjectTotals): Promise<void> {
    const copies = this.#projectsOf(project);
    for (const [other, totals] of this.#projects) {
      if (other !== project && !copies.includes(other) && totals.dropAll(has))
        await this.#write(other, totals);
    }
  }

  #take(projectTotals: ProjectTotals | undefined, spent: SpentTokens, firstDay: string): void {
    if (projectTotals === undefined) return;
    const totals = totalsOf(spent, this.#branchOf(spent, projectTotals.of(spent.sessionId)));
    if (totals.ok) projectTotals.take(totals.value, firstDay);
    else this.#ports.log.write("warn", `Budgets: ${totals.detail.text}`);
  }

  /**
   * Returns the session's branch. Not every agent reports branches; for a session that works today the checked-out branch is used, and
   * stays.
   */
  #branchOf({ branch, cwd, spent }: SpentTokens, before: SessionTotals | undefined): string | null {
    if (branch !== null) return branch;
    if (before !== undefined) return before.branch;
    const today = formatDay(new Date(this.#ports.clock.now()));
    return cwd !== null && spent.some(({ day }) => day === today) ? gitBranch(cwd) : null;
  }

  #firstDay(): string {
    return firstDayKept(this.#ports.clock.now());
  }

  #reportProblems(project: string, problems: readonly Problem[]): void {
    const known = new Set((this.#problems.get(project) ?? []).map(keyOf));
    if (problems.length === 0) this.#problems.delete(project);
    else this.#problems.set(project, problems);
    for (const problem of problems)
      if (!known.has(keyOf(problem))) this.#ports.log.write("warn", `Budgets: ${problem.reason.text}`);
  }
}

/** Returns the start of a local day. Milliseconds since the epoch. */
function timeOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime();
}

function projectOf(folder: string): string[] {
  return path.isAbsolute(folder) ? [projectFolder(folder)] : [];
}

function keyOf({ path: file, reason }: Problem): string {
  return `${file}\n${reason.text}`;
}
