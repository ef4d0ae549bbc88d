import { joinSentences, sentence } from "../../base/language.ts";
import path from "node:path";
import { type Clock, TtlCache } from "../../base/timing.ts";
import { succeed } from "../../base/result.ts";
import { answerTo, type BudgetAnswer } from "../check/check-answer.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetMode } from "../../settings/guard.ts";
import type { BudgetPorts, CallRequest, CallVerdict, HookSpender } from "../check/check.ts";
import { spenderOf } from "../check/describe-answer.ts";
import type { SessionAccount, LiveAccounts } from "../../sessions/live.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import { convoyOf, limitsAmong } from "../convoys/members.ts";
import { gitBranch } from "../git-branch.ts";
import { releaseLease, reserveTokens } from "../spending/leases.ts";
import { projectFolder } from "../../base/paths.ts";
import { contextProjection, projectRun, unknownProjection, type Projection } from "../projection.ts";
import type { Budget, FanOut } from "../budget.ts";
import type { SessionTotals } from "../spending/session-totals.ts";
import type { Unrecorded } from "../spending/tally.ts";
import { BudgetWatch, type KnownBudgets, type LimitedProject } from "./watch-budgets.ts";
import { freshTokens, largestResponse, projectedCall } from "./spending-now.ts";

export interface BudgetChecksPorts {
  /** See `projectBudgets`. */
  readonly budgetsOf: (project: string) => BudgetPorts;
  /** See `BudgetRecorder.sync`. */
  readonly sync: (
    project: string,
    asked: { readonly budgets: readonly Budget[]; readonly isDoubted?: boolean },
  ) => Promise<void>;
  readonly live: LiveAccounts;
  /** With the user's own prices. */
  readonly catalogue: () => Catalogue;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** A folder seldom moves to another project, branches change more often. Milliseconds. */
const cacheTtl = { project: 10_000, branch: 500 };
const maxProjects = 200;
const maxSessions = 1000;
/**
 * Time for which tokens stay reserved for a starting subagent that never reports: until its usage is in the
 * ledger. Milliseconds.
 */
const beginTime = 120_000;
/** Agents write their transcripts a moment after they act: how long to wait for a response that a hook refers to. Milliseconds. */
const [transcriptTime, betweenReadings] = [250, 10];
/**
 * Maximum time that a hook waits for the recorder to add up a project; after that only the files' content is
 * known. Milliseconds.
 */
const syncTime = 400;

interface Limited extends LimitedProject {
  readonly watch: BudgetWatch;
  readonly convoyId: string | null;
}

interface KnownSession {
  /** The branch where its main agent last worked. A subagent's worktree has its own branch. */
  readonly branch: string | null;
  /** Time of its last prompt. Milliseconds since the epoch; null before the first. */
  readonly promptedAt: number | null;
}

/** Answers hooks whether budgets allow a call: from memory, kept up to date with the files. */
export class BudgetChecks {
  readonly #ports: BudgetChecksPorts;
  readonly #projects = new Map<string, BudgetWatch>();
  readonly #projectOf: TtlCache<string>;
  readonly #branchOf: TtlCache<string | null>;
  readonly #sessions = new Map<string, KnownSession>();
  /**
   * By session and type: leases of subagents that were started but have used nothing yet, the oldest first.
   */
  readonly #aside = new Map<string, { readonly id: string; readonly watch: BudgetWatch }[]>();

  constructor(ports: BudgetChecksPorts) {
    this.#ports = ports;
    const now = () => performance.now();
    this.#projectOf = new TtlCache(projectFolder, { trust: cacheTtl.project, now });
    this.#branchOf = new TtlCache(gitBranch, { trust: cacheTtl.branch, now });
  }

  /** Returns the current state of a project's files, after the recorder has added the ledger's totals. */
  async inspect(folder: string): Promise<{ readonly project: string; readonly known: KnownBudgets }> {
    const watch = this.watchOf(folder);
    return { project: watch.ports.project, known: await this.#synced(watch) };
  }

  /** @param folder an absolute path */
  watchOf(folder: string): BudgetWatch {
    const project = this.#projectOf.get(folder);
    const known = this.#projects.get(project);
    if (known !== undefined) return known;
    const made = new BudgetWatch(this.#ports.budgetsOf(project), () => performance.now());
    this.#projects.set(project, made);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > maxProjects && oldest !== undefined) this.#projects.delete(oldest);
    return made;
  }

  async check(spender: HookSpender, asked: CallRequest): Promise<Budgeted<CallVerdict> | null> {
    const now = this.#ports.clock.now();
    if (asked.isPrompt) this.#remember(spender.sessionId, { promptedAt: now });
    const seen = { now, account: this.#ports.live.of(spender.sessionId) };
    const limited = await this.#limited(spender, seen);
    if (limited?.ok !== true) return limited;
    const first = this.#weighed(spender, limited.value, seen);
    let weighed = first;
    if (this.#isNear(spender, asked, first)) {
      const account = await this.#caughtUp(seen.account, asked.toolUse);
      weighed = this.#weighed(spender, limited.value, { now, account });
    }
    const [once, all] = this.#projections(spender, asked, weighed.moment);
    const answer = this.#answer(spender, weighed, all);
    if (!answer.ok) return answer;
    const single = answer.value.allowed ? answer : this.#answer(spender, weighed, once);
    return single.ok ? succeed({ answer: answer.value, fitsOnce: single.value.allowed }) : single;
  }

  /** Whether one more response than the transcript has could change the answer. */
  #isNear(spender: HookSpender, asked: CallRequest, weighed: Weighed): boolean {
    const { moment } = weighed;
    if (asked.toolUse === null || moment.account === undefined) return false;
    const [, all] = this.#projections(spender, asked, moment);
    const maximum = largestResponse(moment.account, spender.agentId);
    // New tokens cost less alone than with the context that was read for them.
    const usd = all.usd === null ? null : all.usd * (1 + maximum / all.tokens);
    const most = contextProjection(all.tokens + maximum, all.source, usd);
    const answer = this.#answer(spender, weighed, most);
    return !answer.ok || answer.value.reason !== "ok";
  }

  /** Returns the account once the transcript has a tool use, or as it is when that takes too long. */
  async #caughtUp(
    account: SessionAccount | undefined,
    toolUse: string | null,
  ): Promise<SessionAccount | undefined> {
    let now = account;
    for (let waited = 0; waited < transcriptTime; waited += betweenReadings) {
      if (now === undefined || toolUse === null || now.hasCall(toolUse)) return now;
      await this.#ports.pause(betweenReadings);
      now = this.#ports.live.of(now.id);
    }
    return now;
  }

  /** Returns the limits on subagents of the budget that a session belongs to. Null without any, or while limits are unknown. */
  async fanOutOf(spender: HookSpender): Promise<{ readonly from: string; readonly limits: FanOut } | null> {
    const account = this.#ports.live.of(spender.sessionId);
    const limited = await this.#limited(spender, { now: this.#ports.clock.now(), account });
    if (limited?.ok !== true) return null;
    const { budgets, convoyId } = limited.value;
    const found = budgets.find((budget) => budget.convoyId === convoyId);
    return found?.fanOut === undefined ? null : { from: found.convoyId, limits: found.fanOut };
  }

  async reserveSubagent(spender: HookSpender, mode: BudgetMode): Promise<Budgeted<BudgetAnswer> | null> {
    const { sessionId, agentId, agentType } = spender;
    const moment = { now: this.#ports.clock.now(), account: this.#ports.live.of(sessionId) };
    const limited = await this.#limited(spender, moment);
    if (limited?.ok !== true) return limited;
    const { watch, convoyId } = limited.value;
    const { ports } = watch;
    if (mode !== "hard") {
      const projected = await projectRun({ agentId: agentType ?? agentId, model: null }, ports.history);
      return this.#answer(spender, this.#weighed(spender, limited.value, moment), projected);
    }
    const reserved = await reserveTokens({ convoyId, sessionId, agentId, agentType }, ports, beginTime);
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

  releaseSubagent(spender: HookSpender): void {
    const key = keyOf(spender);
    const [first] = this.#aside.get(key) ?? [];
    if (first === undefined) return;
    this.#drop(key, first.id);
    void releaseLease(first.id, first.watch.ports).then((released) => {
      first.watch.forget();
      if (!released.ok) this.#ports.onProblem(`Tokens stay set aside for a while: ${released.detail.text}`);
    });
  }

  #drop(key: string, id: string): void {
    const left = (this.#aside.get(key) ?? []).filter((each) => each.id !== id);
    if (left.length === 0) this.#aside.delete(key);
    else this.#aside.set(key, left);
  }

  async #limited(spender: HookSpender, { account }: Moment): Promise<Budgeted<Limited> | null> {
    const { sessionId, cwd } = spender;
    // A session belongs to the project it started in, wherever its agent goes. Otherwise leaving the folder
    // would evade every limit.
    const began = account?.cwd ?? cwd;
    const folder = path.isAbsolute(began) ? began : cwd;
    if (!path.isAbsolute(folder)) return null;
    const watch = this.watchOf(folder);
    const branches = this.#branchesOf(spender);
    const { limited } = await this.#synced(watch, syncTime);
    if (limited?.ok !== true) return limited;
    return succeed({
      watch,
      ...limited.value,
      convoyId: convoyOf(limited.value.budgets, { sessionId, branches }),
    });
  }

  /** @param within maximum wait, unlimited if omitted. Milliseconds */
  async #synced(watch: BudgetWatch, within?: number): Promise<KnownBudgets> {
    const known = await watch.read();
    if (known.limited === null || !known.folder.ok) return known;
    const isDoubted = !known.spending.ok && known.spending.reason === "corrupt";
    const budgets = known.folder.value.budgets.flatMap(({ stored }) =>
      stored.ok ? [stored.value.budget] : [],
    );
    const done = this.#ports.sync(watch.ports.project, { budgets, isDoubted }).then(() => true);
    const isDone = within === undefined ? await done : await inTime(done, within);
    return isDone ? await watch.read() : known;
  }

  #branchesOf({ sessionId, agentId, cwd }: HookSpender): readonly (string | null)[] {
    const here = path.isAbsolute(cwd) ? this.#branchOf.get(cwd) : null;
    if (agentId !== "main") return [here, this.#sessions.get(sessionId)?.branch ?? null];
    this.#remember(sessionId, { branch: here });
    return [here];
  }

  #remember(sessionId: string, what: Partial<KnownSession>): void {
    const before = this.#sessions.get(sessionId) ?? { branch: null, promptedAt: null };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, { ...before, ...what });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
  }

  #projections(
    { agentId, cwd }: HookSpender,
    { added, calls }: CallRequest,
    { account, now }: Moment,
  ): readonly [once: Projection, all: Projection] {
    const others = () => this.#ports.live.chainsIn(account?.cwd ?? cwd);
    const next = projectedCall({ account, agentId, others }, { added, now });
    if (next === null) return [unknownProjection, unknownProjection];
    const { tokens, source, priced } = next;
    const usd = priced === null ? null : priceUsage({ ...priced, at: now }, this.#ports.catalogue()).usd;
    const once = contextProjection(tokens, source, usd);
    const both = contextProjection(
      2 * tokens - added,
      joinSentences([source, sentence("with one call more, to sum up")], "; "),
      usd === null ? null : 2 * usd,
    );
    return [once, calls === 1 ? once : both];
  }

  #weighed({ sessionId }: HookSpender, limited: Limited, moment: Moment): Weighed {
    const { now, account } = moment;
    const totals = limited.tally.session(sessionId);
    const promptedAt = this.#sessions.get(sessionId)?.promptedAt ?? null;
    const since = { today: new Date(now).setHours(0, 0, 0, 0), run: promptedAt };
    const fresh = account === undefined ? [] : freshTokens(account, totals, since, this.#ports.catalogue());
    const { convoyId } = limited;
    const unrecorded = fresh.map((each) => ({ ...each, sessionId, convoyId }));
    return { limited, moment, unrecorded, isNewRun: isNewRun(promptedAt, totals) };
  }

  #answer(
    { sessionId, agentId, agentType }: HookSpender,
    { limited, moment, ...known }: Weighed,
    projected: Projection,
  ): Budgeted<BudgetAnswer> {
    const { budgets, tally, convoyId } = limited;
    const spender = spenderOf({ convoyId, agentId, sessionId });
    if (!spender.ok) return spender;
    const asked = { ...known, tally, spender: spender.value, agentType, now: moment.now };
    return succeed(answerTo(limitsAmong(budgets, convoyId), projected, asked));
  }
}

interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly account: SessionAccount | undefined;
}

interface Weighed {
  readonly limited: Limited;
  readonly moment: Moment;
  /** Usage that is not yet in the ledger. */
  readonly unrecorded: readonly Unrecorded[];
  readonly isNewRun: boolean;
}

/** Whether the ledger's last run of a session is already over: a prompt came since, and the ledger has nothing after it. */
function isNewRun(promptedAt: number | null, totals: SessionTotals | undefined): boolean {
  if (promptedAt === null || totals === undefined) return false;
  return (totals.runSince ?? -Infinity) < promptedAt && (totals.mainAt ?? -Infinity) < promptedAt;
}

function keyOf({ sessionId, agentId, agentType }: HookSpender): string {
  return `${sessionId} ${agentType ?? agentId}`;
}

async function inTime(done: Promise<boolean>, time: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), time)));
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
