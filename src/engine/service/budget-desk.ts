import path from "node:path";
import type { Clock } from "../base/clock.ts";
import { succeed } from "../base/result.ts";
import { answerTo, type BudgetAnswer } from "../budget/answer.ts";
import type { Budget } from "../budget/budget.ts";
import type { Budgeted } from "../budget/budget-faults.ts";
import type { BudgetMode } from "../budget/budget-mode.ts";
import type { BudgetPorts } from "../budget/check-budget.ts";
import { spenderOf } from "../budget/call.ts";
import { convoyOf } from "../budget/convoy-of.ts";
import { gitBranch } from "../budget/git-branch.ts";
import { releaseLease, reserveTokens } from "../budget/leases.ts";
import { limitsAmong } from "../budget/limits.ts";
import { projectFolder } from "../budget/project-folder.ts";
import { givenProjection, projectRun, type Projection } from "../budget/projection.ts";
import type { Spending } from "../budget/spending.ts";
import type { HookSpender } from "../guard/budget-handler.ts";
import { BudgetWatch, type KnownBudgets } from "./budget-watch.ts";
import { RecentValues } from "./recent-values.ts";

export interface BudgetDeskPorts {
  /** See `projectBudgets`. */
  readonly budgetsOf: (project: string) => BudgetPorts;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** A folder seldom becomes another project's, a branch is checked out more often. Milliseconds. */
const trust = { project: 10_000, branch: 500 };
const mostProjects = 200;
const mostSessions = 1000;
/** What a subagent is set aside until its own usage is in the ledger, should nobody hear of it again. Milliseconds. */
const beginTime = 120_000;
/** A call that goes on is allowed while there is a token left. */
const underWay = givenProjection(1);

interface Limited {
  readonly watch: BudgetWatch;
  readonly budgets: readonly Budget[];
  readonly spending: Spending;
  readonly convoyId: string | null;
}

/** Answers for hooks what budgets allow: from memory, and as the files are. */
export class BudgetDesk {
  readonly #ports: BudgetDeskPorts;
  readonly #projects = new Map<string, BudgetWatch>();
  readonly #projectOf: RecentValues<string>;
  readonly #branchOf: RecentValues<string | null>;
  /** What was checked out where a session's main chain worked last. A subagent's worktree has a branch of its own. */
  readonly #branches = new Map<string, string | null>();
  /** By session and type: leases of subagents that were begun and have used nothing yet, the oldest first. */
  readonly #aside = new Map<string, { readonly id: string; readonly watch: BudgetWatch }[]>();

  constructor(ports: BudgetDeskPorts) {
    this.#ports = ports;
    const now = () => performance.now();
    this.#projectOf = new RecentValues(projectFolder, { trust: trust.project, now });
    this.#branchOf = new RecentValues(gitBranch, { trust: trust.branch, now });
  }

  /** How a project's files are now. */
  async look(folder: string): Promise<{ readonly project: string; readonly known: KnownBudgets }> {
    const watch = this.watchOf(folder);
    return { project: watch.ports.project, known: await watch.read() };
  }

  /** @param folder an absolute path */
  watchOf(folder: string): BudgetWatch {
    const project = this.#projectOf.of(folder);
    const known = this.#projects.get(project);
    if (known !== undefined) return known;
    const made = new BudgetWatch(this.#ports.budgetsOf(project), () => performance.now());
    this.#projects.set(project, made);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > mostProjects && oldest !== undefined) this.#projects.delete(oldest);
    return made;
  }

  /** See `BudgetHandlerPorts.check`. */
  async check(spender: HookSpender): Promise<Budgeted<BudgetAnswer> | null> {
    const limited = await this.#limited(spender);
    return limited?.ok === true ? this.#answer(spender, limited.value, underWay) : limited;
  }

  /** See `BudgetHandlerPorts.begin`. */
  async begin(spender: HookSpender, mode: BudgetMode): Promise<Budgeted<BudgetAnswer> | null> {
    const limited = await this.#limited(spender);
    if (limited?.ok !== true) return limited;
    const { watch, convoyId } = limited.value;
    const { sessionId, agentId } = spender;
    const { ports } = watch;
    if (mode !== "hard") {
      const projected = await projectRun({ agentId, model: null }, ports.history);
      return this.#answer(spender, limited.value, projected);
    }
    const reserved = await reserveTokens({ convoyId, sessionId, agentId }, ports, beginTime);
    if (!reserved.ok) return reserved;
    const { lease, answer } = reserved.value;
    if (lease !== null) {
      watch.forget();
      const key = keyOf(spender);
      this.#aside.set(key, [...(this.#aside.get(key) ?? []), { id: lease.id, watch }]);
      setTimeout(() => this.#drop(key, lease.id), beginTime).unref();
    }
    return succeed(answer);
  }

  /** See `BudgetHandlerPorts.begun`. */
  begun(spender: HookSpender): void {
    const key = keyOf(spender);
    const [first] = this.#aside.get(key) ?? [];
    if (first === undefined) return;
    this.#drop(key, first.id);
    void releaseLease(first.id, first.watch.ports).then((released) => {
      first.watch.forget();
      if (!released.ok) this.#ports.onProblem(`Tokens stay set aside for a while: ${released.detail}`);
    });
  }

  #drop(key: string, id: string): void {
    const left = (this.#aside.get(key) ?? []).filter((each) => each.id !== id);
    if (left.length === 0) this.#aside.delete(key);
    else this.#aside.set(key, left);
  }

  /** Null where nothing is limited. */
  async #limited(spender: HookSpender): Promise<Budgeted<Limited> | null> {
    const { sessionId, cwd } = spender;
    if (!path.isAbsolute(cwd)) return null;
    const watch = this.watchOf(cwd);
    const { listed, spending } = await watch.read();
    if (!listed.ok) return listed;
    if (listed.value.length === 0) return null;
    const budgets: Budget[] = [];
    for (const { stored } of listed.value) {
      if (!stored.ok) return stored;
      budgets.push(stored.value.budget);
    }
    if (!spending.ok) return spending;
    const convoyId = convoyOf(budgets, { sessionId, branches: this.#branchesOf(spender) });
    return succeed({ watch, budgets, spending: spending.value, convoyId });
  }

  #branchesOf({ sessionId, agentId, cwd }: HookSpender): readonly (string | null)[] {
    const here = this.#branchOf.of(cwd);
    if (agentId !== "main") return [here, this.#branches.get(sessionId) ?? null];
    this.#branches.delete(sessionId);
    this.#branches.set(sessionId, here);
    const [oldest] = this.#branches.keys();
    if (this.#branches.size > mostSessions && oldest !== undefined) this.#branches.delete(oldest);
    return [here];
  }

  #answer(
    { sessionId, agentId }: HookSpender,
    { budgets, spending, convoyId }: Limited,
    projected: Projection,
  ): Budgeted<BudgetAnswer> {
    const spender = spenderOf({ convoyId, agentId, sessionId });
    if (!spender.ok) return spender;
    const limits = limitsAmong(budgets, convoyId);
    return succeed(
      answerTo(limits, projected, { spending, spender: spender.value, now: this.#ports.clock.now() }),
    );
  }
}

function keyOf({ sessionId, agentId }: HookSpender): string {
  return `${sessionId} ${agentId}`;
}
