import type { Sentence } from "../../base/language.ts";
import path from "node:path";
import type { Disposable } from "../../base/events.ts";
import { type Clock, Throttle } from "../../base/timing.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetMode } from "../../settings/guard.ts";
import type { StoredBudget } from "../convoys/convoys-store.ts";
import { limitsAmong, setLimit, type NewLimit } from "../convoys/members.ts";
import type { RunHistory } from "../projection.ts";
import { reportLevels, type ReportedLevel } from "../budget-report.ts";
import type { Spending } from "../spending/spending.ts";
import type { Tally } from "../spending/tally.ts";
import type { BudgetChecks } from "./checks.ts";
import type { ProposalMaker } from "./proposals.ts";
import type { BudgetLevel, BudgetProposal, ConvoyBudget, ProjectBudgets } from "../budgets-answers.ts";

export interface BudgetStatusFeedPorts {
  readonly checks: BudgetChecks;
  readonly mode: () => BudgetMode;
  /** Returns the agents for which a project's hooks are installed. */
  readonly held: (project: string) => readonly string[];
  readonly propose: ProposalMaker;
  readonly history: RunHistory;
  readonly record: () => Promise<void>;
  readonly clock: Clock;
}

/** Changes by other processes, and the end of a day, are seen this soon. Milliseconds. */
const readInterval = 1000;

interface Follower {
  readonly folders: readonly string[];
  readonly publish: (projects: readonly ProjectBudgets[]) => void;
  /** The last value sent, as JSON. */
  published: string;
}

/** Sends windows the budgets of their folders, and again whenever they change. */
export class BudgetStatusFeed implements Disposable {
  readonly #ports: BudgetStatusFeedPorts;
  readonly #followers = new Set<Follower>();
  readonly #throttle: Throttle;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: BudgetStatusFeedPorts) {
    this.#ports = ports;
    this.#throttle = new Throttle(readInterval, () => {
      void this.#publishAll();
      return true;
    });
  }

  /** Returns one answer for each folder, an empty one without budgets. */
  async read(folders: readonly string[]): Promise<ProjectBudgets[]> {
    return await Promise.all(folders.map((folder) => this.#readOne(folder)));
  }

  /** Reports every change since the given answers, until it is disposed. */
  follow(
    folders: readonly string[],
    read: readonly ProjectBudgets[],
    publish: Follower["publish"],
  ): Disposable {
    const follower: Follower = { folders, publish, published: JSON.stringify(read) };
    this.#followers.add(follower);
    this.#timer ??= setInterval(() => this.ask(), readInterval);
    return {
      dispose: () => {
        this.#followers.delete(follower);
        if (this.#followers.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
    };
  }

  ask(): void {
    if (this.#followers.size > 0) this.#throttle.request();
  }

  async setLimit(folder: string, asked: NewLimit) {
    const watch = this.#ports.checks.watchOf(folder);
    const set: Budgeted<StoredBudget> = await setLimit(asked, watch.ports);
    watch.forget();
    this.ask();
    return set;
  }

  /** Resolves when all the ledger has of the folder's project is recorded in its budgets. */
  async sync(folder: string): Promise<void> {
    await this.#ports.record();
    if (!path.isAbsolute(folder)) return;
    // The caller may just have changed a budget.
    this.#ports.checks.watchOf(folder).forget();
    await this.#ports.checks.inspect(folder);
  }

  recentTokens(asked: Parameters<RunHistory["recentTokens"]>[0]): Promise<readonly number[]> {
    return this.#ports.history.recentTokens(asked);
  }

  async propose(asked: Parameters<ProposalMaker>[0]): Promise<BudgetProposal[]> {
    return path.isAbsolute(asked.folder) ? await this.#ports.propose(asked) : [];
  }

  dispose(): void {
    this.#followers.clear();
    this.#throttle.dispose();
    clearInterval(this.#timer);
  }

  async #publishAll(): Promise<void> {
    for (const follower of this.#followers) {
      const projects = await this.read(follower.folders);
      const text = JSON.stringify(projects);
      if (text === follower.published || !this.#followers.has(follower)) continue;
      follower.published = text;
      follower.publish(projects);
    }
  }

  async #readOne(folder: string): Promise<ProjectBudgets> {
    const mode = this.#ports.mode();
    const none = { folder, project: folder, mode, convoys: [], faults: [], strays: [], notHeld: [] };
    if (!path.isAbsolute(folder)) return none;
    const { project, known } = await this.#ports.checks.inspect(folder);
    const { folder: files, spending, limited } = known;
    if (!files.ok) return { ...none, project, faults: [{ ...faultOf(files), file: null }] };
    const { budgets, strays } = files.value;
    const damaged = budgets.flatMap(({ file, stored }) => (stored.ok ? [] : [{ ...faultOf(stored), file }]));
    const faults = spending.ok ? damaged : [...damaged, { ...faultOf(spending), file: null }];
    const moment = limited?.ok === true ? { tally: limited.value.tally, now: this.#ports.clock.now() } : null;
    const convoys = budgets.flatMap(({ stored }) => (stored.ok ? [convoyOf(stored.value, moment)] : []));
    const notHeld = spending.ok && budgets.length > 0 ? this.#notHeld(project, spending.value) : [];
    return { ...none, project, convoys, faults, strays: [...strays], notHeld };
  }

  /** Returns agents without hooks that worked here in any current period, or ever if a budget counts everything. */
  #notHeld(project: string, { totals }: Spending): string[] {
    const programs = [...new Set(totals.flatMap(({ program }) => program ?? []))];
    if (programs.length === 0) return [];
    const held = this.#ports.held(project);
    return programs.filter((program) => !held.includes(program)).toSorted();
  }
}

function faultOf({ reason, detail }: { readonly reason: string; readonly detail: Sentence }) {
  return { reason, detail };
}

/** @param moment null while the state of limits is unknown */
function convoyOf(
  { budget, file }: StoredBudget,
  moment: { readonly tally: Tally; readonly now: number } | null,
): ConvoyBudget {
  const { convoyId, warnPercent } = budget;
  const levels = moment === null ? [] : reportLevels(limitsAmong([budget], convoyId), convoyId, moment);
  return { convoyId, file, warnPercent, levels: levels.map(levelOf) };
}

function levelOf({
  level,
  subject,
  sessionId,
  agentType,
  period,
  since,
  amount,
  unit,
  used,
  unpriced,
  reserved,
  usagePercent,
  verdict,
}: ReportedLevel): BudgetLevel {
  const of = { level, who: subject, sessionId, agentType };
  const figures = { amount, unit, used, unpriced, reserved, percent: usagePercent };
  return { ...of, period, since, ...figures, state: verdict };
}
