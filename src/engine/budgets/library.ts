/**
 * Budgets for other programs: the features of `purser budget` as eight functions. They work on the project's own files, so a limit
 * holds between processes that know nothing of each other, and purser's windows, hooks and terminals see the same. No service has to run.
 *
 * Every function resolves: expected failures are values with a reason, never thrown. Tokens are processing tokens: input, output and cache
 * creation.
 */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../base/timing.ts";
import { nodeFiles } from "../base/files.ts";
import { purserPaths, projectFolder } from "../base/paths.ts";
import { thisMachine } from "../base/process.ts";
import type { Budgeted } from "./faults.ts";
import type { BudgetAnswer } from "./check/check-answer.ts";
import { describeAnswer } from "./check/describe-answer.ts";
import * as store from "./convoys/convoys-store.ts";
import * as checks from "./check/check.ts";
import { ticksOf } from "./live/project.ts";
import { PlacedSpending } from "./spending/placed.ts";
import { leaseTime, reserveTokens } from "./spending/leases.ts";
import * as folder from "./convoys/list.ts";
import { noHistory } from "./projection.ts";
import * as records from "./spending/record-usage.ts";
import * as reports from "./budget-report.ts";

/** What a limit applies to: each session, each agent, all agents of a convoy, or everything in the project. */
export type Level = "session" | "agent" | "convoy" | "project";

/**
 * Period over which usage counts: all of it, one run (from one prompt to the next, or as named by the caller), or one local day, week
 * (from Monday) or month.
 */
export type Period = "total" | "run" | "day" | "week" | "month";

/** Unit of a limit: processing tokens, US dollars, or AI credits of GitHub Copilot. */
export type Unit = "tokens" | "usd" | "credits";

/** An amount: a whole number of tokens up to a million million; or dollars or credits, with at most six digits after the point. */
export interface Limit {
  readonly amount: number;
  readonly unit: Unit;
  readonly period: Period;
}

/** Limits on subagents. Beyond each, purser's hooks ask the agent's user once in a prompt. */
export interface FanOut {
  /** Subagents of a session that run at once. 1 to 1,000, as the next two. */
  readonly atOnce?: number;
  /** Subagents that one prompt starts. */
  readonly perPrompt?: number;
  /** Depth of subagents: 1 are those of the main agent. */
  readonly depth?: number;
  /** Models that a subagent is not to run on, by a part of their names. */
  readonly models?: string[];
}

/** A limit in tokens as earlier versions wrote it. It is read for one more version. */
export interface FormerLimit {
  readonly limit: number;
  readonly period: Period;
}

/** Budget of a convoy: agents that work on one thing. */
export interface Budget {
  readonly schema: 3;
  /** Up to 64 of a-z, 0-9, - and _, starting with a letter or digit; also the name of the budget's file. */
  readonly convoyId: string;
  readonly levels: Readonly<Partial<Record<Level, Limit>>>;
  /** Percentage of a limit from which `checkBudget` warns. 1 to 100. */
  readonly warnPercent: number;
  /**
   * Sessions on these branches (`*` matches anything) and these sessions belong to the convoy, in addition to those on a branch of its
   * name.
   */
  readonly members?: { readonly branches?: string[]; readonly sessions?: string[] };
  readonly fanOut?: FanOut;
  /** ISO 8601; missing in files of the first version. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** A budget to be saved; limits may still have the form of earlier versions. */
export type ChangedBudget = Omit<Budget, "schema" | "levels"> & {
  readonly schema: 2 | 3;
  readonly levels: Readonly<Partial<Record<Level, Limit | FormerLimit>>>;
};

/** A budget as stored in its file. */
export interface StoredBudget {
  readonly budget: Budget;
  /** Identifies this content; required by `saveBudget`. */
  readonly revision: string;
  /** Absolute path. */
  readonly file: string;
}

/**
 * Reasons for failures.
 * - `invalid_id`, `invalid`: the request is wrong
 * - `not_found`, `exists`: there is no such budget, or there is one already
 * - `corrupt`: a file is damaged, or was edited by hand; its limits are unknown, so nothing may be spent
 * - `changed`: another process changed it meanwhile
 * - `busy`: others keep writing; try again
 * - `unusable`: the system refuses a file or folder
 */
export type Reason =
  "invalid_id" | "invalid" | "not_found" | "exists" | "corrupt" | "changed" | "busy" | "unusable";

/** A value, or the reason why there is none with, in `detail`, what to do about it. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: Reason; readonly detail: string };

/** The project's folder, or one in it; worktrees share their repository's budgets. */
export interface InProject {
  readonly project: string;
}

export interface NewBudget extends InProject {
  readonly convoyId: string;
  /** Defaults to 500,000 tokens in total for the convoy, and 100,000 for each agent. */
  readonly levels?: Readonly<Partial<Record<Level, Limit | FormerLimit>>>;
  /** Defaults to 80. */
  readonly warnPercent?: number;
  readonly members?: { readonly branches?: string[]; readonly sessions?: string[] };
  readonly fanOut?: FanOut;
}

/** The caller of a function. */
export interface Caller extends InProject {
  /** Null if the call belongs to no convoy: then only the project's limits apply. */
  readonly convoyId: string | null;
  /** One agent of its session. */
  readonly agentId: string;
  /**
   * The id of a Claude Code or Codex session if the agent runs in one: usage from its transcript is then not counted twice. Without an id,
   * the agent counts as the only one in a session of its own name.
   */
  readonly sessionId?: string;
  /** A name for the run; defaults to the session's current run. */
  readonly runId?: string;
}

/** A call before it is made. */
export interface PlannedCall extends Caller {
  /** The caller's projection of its usage; defaults to 20,000. */
  readonly projectedTokens?: number;
  /** What the caller expects the call to cost; defaults to the project's average price of such tokens. */
  readonly projectedUsd?: number;
  readonly projectedCredits?: number;
  /**
   * Reserves what the call is expected to use, so that concurrent agents never exceed a limit together: `true` for ten minutes, or a number of milliseconds up
   * to a day.
   */
  readonly reserve?: boolean | number;
}

/** State of a limit, in its unit. */
export interface LevelState extends Limit {
  readonly level: Level;
  /** The convoy whose budget defines the limit. */
  readonly from: string;
  /** The session's, agent's or convoy's id; null is the project, or no subject yet. */
  readonly subject: string | null;
  readonly sessionId: string | null;
  readonly runId: string | null;
  /** First local day that counts; null if all usage, or one run, counts. */
  readonly since: string | null;
  readonly used: number;
  /** Tokens without a known price, which a limit in dollars or credits lacks. */
  readonly unpriced: number;
  /** Reserved for others' calls. */
  readonly reserved: number;
  /** The call's projected usage; 0 in a report. */
  readonly projected: number;
  readonly remaining: number;
  readonly over: number;
  readonly usagePercent: number;
}

/** What is reserved for a call. */
export interface Lease {
  readonly id: string;
  readonly tokens: number;
  readonly usd?: number;
  readonly credits?: number;
  /** Milliseconds since the epoch at which it is released. */
  readonly expiresAt: number;
}

export interface Checked {
  readonly allowed: boolean;
  readonly reason:
    | "ok"
    | "warning_threshold"
    | "agent_budget_exceeded"
    | "convoy_budget_exceeded"
    | "session_budget_exceeded"
    | "project_budget_exceeded";
  /** The reason and what to do, for an agent and its user; empty if all is well. */
  readonly text: string;
  /** What the deciding limit has left after the call; null if nothing limits it. */
  readonly remaining: { readonly amount: number; readonly unit: Unit } | null;
  /** The same if that limit is in tokens, else null. Use `remaining`: this stays for one more version. */
  readonly remainingTokens: number | null;
  readonly usagePercent: number | null;
  readonly level: Level | null;
  /** Every limit that applies to the call, the narrowest first. */
  readonly levels: readonly LevelState[];
  /** The reservation; null if none was requested or allowed. */
  readonly lease: Lease | null;
}

/** Actual usage. */
export interface Usage extends Caller {
  readonly tokens: number;
  /** What they cost, for limits in dollars or credits. Without it, such limits lack these tokens, and say so. */
  readonly usd?: number | null;
  readonly credits?: number | null;
  /** Settles a reservation of `checkBudget`. Recorded twice, it counts once; with 0 tokens it releases all of them. */
  readonly leaseId?: string | null | undefined;
  /** Whether the tokens are the agent's total in this run today, instead of one more call's. */
  readonly isTotal?: boolean;
}

export interface Recorded {
  readonly tokens: number;
  /** False if it was recorded before and so changed nothing. */
  readonly isNew: boolean;
  /** Usage beyond its lease; 0 without a lease, null if that had ended. */
  readonly beyondLease: number | null;
}

export interface BudgetReport {
  readonly budget: Budget;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Every limit once for each subject with usage; once with nothing used if there is none. */
  readonly levels: readonly (LevelState & { readonly verdict: "ok" | "warning" | "exceeded" })[];
  readonly leases: readonly Lease[];
}

/** A budget of the project, or why it cannot be read. */
export interface ListedBudget {
  readonly file: string;
  readonly stored: Outcome<StoredBudget>;
}

export interface ListedBudgets {
  readonly budgets: readonly ListedBudget[];
  /** Files in the budgets' folder that are not budgets, and what to do about them. They limit nothing. */
  readonly strays: readonly { readonly file: string; readonly detail: string }[];
}

/** Creates a budget's file. Fails with `exists` if the convoy has one, even a damaged one. */
export async function createBudget({ project, ...wanted }: NewBudget): Promise<Outcome<StoredBudget>> {
  return outcomeOf(await store.createBudget(wanted, portsOf(project)));
}

/** Reads a convoy's budget. Fails with `not_found` only if there is no file; a damaged one is `corrupt`. */
export async function loadBudget({
  project,
  convoyId,
}: InProject & { readonly convoyId: string }): Promise<Outcome<StoredBudget>> {
  return outcomeOf(await store.loadBudget(convoyId, portsOf(project)));
}

/** Writes a changed budget if its file is still as loaded; otherwise fails with `changed` and writes nothing. */
export async function saveBudget({
  project,
  budget,
  revision,
}: InProject & Pick<StoredBudget, "revision"> & { readonly budget: ChangedBudget }): Promise<
  Outcome<StoredBudget>
> {
  return outcomeOf(await store.saveBudget(budget, revision, portsOf(project)));
}

/** Removes a convoy's budget, even a damaged one, and returns its file. Past spending still counts. */
export async function deleteBudget({
  project,
  convoyId,
}: InProject & { readonly convoyId: string }): Promise<Outcome<string>> {
  return outcomeOf(await store.deleteBudget(convoyId, portsOf(project)));
}

/** Lists every budget of the project, including damaged ones. */
export async function listBudgets({ project }: InProject): Promise<Outcome<ListedBudgets>> {
  const listed = await folder.listBudgets(portsOf(project));
  if (!listed.ok) return outcomeOf(listed);
  const { budgets, strays } = listed.value;
  return {
    ok: true,
    value: {
      budgets: budgets.map(({ file, stored }) => ({ file, stored: outcomeOf(stored) })),
      strays: strays.map(({ file, detail }) => ({ file, detail: detail.text })),
    },
  };
}

/**
 * Checks whether a planned call is allowed; with `reserve`, reserves what it allows. Fails with `not_found` if the convoy has no budget,
 * and with `corrupt` or `unusable` if a limit or the spending is unknown: then do not make the call.
 */
export async function checkBudget({
  project,
  reserve = false,
  ...call
}: PlannedCall): Promise<Outcome<Checked>> {
  const ports = portsOf(project);
  const { projectedTokens = null, projectedUsd = null, projectedCredits = null } = call;
  const planned = { ...callOf(call), projectedTokens, projectedUsd, projectedCredits };
  if (reserve === false) {
    const checked = await checks.checkBudget(planned, ports);
    return checked.ok ? answered(checked.value, null) : outcomeOf(checked);
  }
  const reserved = await reserveTokens(planned, ports, reserve === true ? leaseTime : reserve);
  return reserved.ok ? answered(reserved.value.answer, reserved.value.lease) : outcomeOf(reserved);
}

function answered(answer: BudgetAnswer, lease: Lease | null): Outcome<Checked> {
  const { remaining } = answer;
  const remainingTokens = remaining?.unit === "tokens" ? remaining.amount : null;
  return { ok: true, value: { ...answer, remainingTokens, text: describeAnswer(answer).text, lease } };
}

/** Records actual usage, whether or not it was allowed or there is a budget: a fact is never refused. */
export async function recordUsage({
  project,
  tokens,
  usd = null,
  credits = null,
  leaseId,
  isTotal = false,
  ...caller
}: Usage): Promise<Outcome<Recorded>> {
  const as = isTotal ? ({ kind: "total" } as const) : ({ kind: "call", leaseId: leaseId ?? null } as const);
  return outcomeOf(
    await records.recordUsage({ call: callOf(caller), usage: tokens, usd, credits, as }, portsOf(project)),
  );
}

/** Reports the state of a convoy's budget. */
export async function getBudgetReport({
  project,
  convoyId,
}: InProject & { readonly convoyId: string }): Promise<Outcome<BudgetReport>> {
  return outcomeOf(await reports.getBudgetReport(convoyId, portsOf(project)));
}

/** Returns a result with its failure in English: programs that use the library show it to nobody, or as it is. */
function outcomeOf<Value>(result: Budgeted<Value>): Outcome<Value> {
  return result.ok ? result : { ...result, detail: result.detail.text };
}

function callOf({ convoyId, agentId, sessionId, runId }: Omit<Caller, "project">) {
  return { convoyId, agentId, sessionId: sessionId ?? agentId, ...(runId === undefined ? {} : { runId }) };
}

/** One store per project, so that this process's changes to it queue up. */
const stores = new Map<string, PlacedSpending>();

function portsOf(given: string) {
  const project = projectFolder(path.resolve(given));
  const machine = thisMachine();
  const files = {
    project,
    files: nodeFiles,
    unique: randomUUID,
    ticks: ticksOf(machine, systemClock),
    pause: (milliseconds: number) => pause(milliseconds),
  };
  const { spending: folder } = purserPaths({ env: process.env, home: homedir() });
  const spending = stores.get(project) ?? new PlacedSpending(files, { folder, isTrusted: null });
  stores.set(project, spending);
  const owner = { pid: process.pid, machine };
  const ports = { ...files, ...owner, clock: systemClock, spending, history: noHistory };
  return { ...ports, noteUse: () => spending.noteUse() };
}
