/**
 * Token budgets for other programs: what `purser budget` does, as eight functions. They work on the project's own files, so a limit holds
 * between processes that know nothing of each other, and purser's windows, hooks and terminals see the same. No service has to run.
 *
 * Every function resolves: what can be expected to go wrong is a value with a reason, never thrown. Tokens are processing tokens: input,
 * output and what was written to the cache.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../base/timing/clock.ts";
import { nodeFiles } from "../base/disk/file-port.ts";
import { thisMachine } from "../base/process/machine.ts";
import type { BudgetAnswer } from "./check/answer.ts";
import { answerInWords } from "./check/answer-in-words.ts";
import * as store from "./convoys/store.ts";
import * as checks from "./check/check.ts";
import { FileSpending } from "./spending/file.ts";
import { leaseTime, reserveTokens } from "./spending/leases.ts";
import * as folder from "./convoys/list.ts";
import { projectFolder } from "./project-folder.ts";
import { noHistory } from "./projection.ts";
import * as records from "./spending/record-usage.ts";
import * as reports from "./standing.ts";

/** What a limit is for: each session, each agent, all agents of a convoy, or everything in the project. */
export type Level = "session" | "agent" | "convoy" | "project";

/**
 * How long usage counts: all of it, during one run (what one prompt begins, or what its caller calls a run), or in one local day, week
 * (from Monday) or month.
 */
export type Period = "total" | "run" | "day" | "week" | "month";

/** Tokens, a whole number from 1 to a million million. */
export interface Limit {
  readonly limit: number;
  readonly period: Period;
}

/** What agents that work on one thing may spend. */
export interface Budget {
  readonly schema: 2;
  /** Up to 64 of a-z, 0-9, - and _, beginning with a letter or digit; it is the name of the budget's file. */
  readonly convoyId: string;
  readonly levels: Readonly<Partial<Record<Level, Limit>>>;
  /** From this share of a limit on, `checkBudget` warns. 1 to 100. */
  readonly warnPercent: number;
  /** Sessions on these branches (`*` stands for anything) and these sessions are of the convoy, beside those on a branch of its name. */
  readonly members?: { readonly branches?: string[]; readonly sessions?: string[] };
  /** ISO 8601; not there in files of the first version. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** A budget as it is in its file. */
export interface StoredBudget {
  readonly budget: Budget;
  /** Tells this content from any other: `saveBudget` asks for it. */
  readonly revision: string;
  /** Absolute. */
  readonly file: string;
}

/**
 * Why something could not be done.
 * - `invalid_id`, `invalid`: it was asked wrongly
 * - `not_found`, `exists`: there is no such budget, or there is one already
 * - `corrupt`: a file is damaged, or was edited by hand; what it limits is not known, so nothing may be spent
 * - `changed`: another process changed it meanwhile
 * - `busy`: others keep writing; ask again
 * - `unusable`: the system refuses a file or folder
 */
export type Reason =
  "invalid_id" | "invalid" | "not_found" | "exists" | "corrupt" | "changed" | "busy" | "unusable";

/** A value, or why there is none and, in `detail`, what to do about it. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: Reason; readonly detail: string };

/** Where budgets are: the project's folder, or one in it; worktrees share their repository's. */
export interface InProject {
  readonly project: string;
}

export interface NewBudget extends InProject {
  readonly convoyId: string;
  /** Without them 500,000 tokens in total for the convoy, and 100,000 for each agent. */
  readonly levels?: Readonly<Partial<Record<Level, Limit>>>;
  /** 80 when it is not told. */
  readonly warnPercent?: number;
  readonly members?: { readonly branches?: string[]; readonly sessions?: string[] };
}

/** Who calls. */
export interface Caller extends InProject {
  /** Null where the call is of no convoy: then only the project's limits hold. */
  readonly convoyId: string | null;
  /** One agent of its session. */
  readonly agentId: string;
  /**
   * The id of a Claude Code or Codex session where the agent is one: what its transcript tells is then not counted twice. Without one the
   * agent is the only one of a session of its own name.
   */
  readonly sessionId?: string;
  /** A name for the run; without one it is what the session does now. */
  readonly runId?: string;
}

/** A call that somebody is about to make. */
export interface PlannedCall extends Caller {
  /** What it will use, as its caller expects; 20,000 when it is not told. */
  readonly projectedTokens?: number;
  /**
   * Sets the tokens aside, so that agents who ask at once never pass a limit together: `true` for ten minutes, or so many milliseconds, up
   * to a day.
   */
  readonly reserve?: boolean | number;
}

/** How one limit stands. */
export interface LevelState {
  readonly level: Level;
  readonly period: Period;
  readonly limit: number;
  /** The convoy whose budget has the limit. */
  readonly from: string;
  /** The session's, agent's or convoy's id; null is the project, or nobody yet. */
  readonly subject: string | null;
  readonly sessionId: string | null;
  readonly runId: string | null;
  /** First local day that counts; null where all of it, or one run, does. */
  readonly since: string | null;
  readonly used: number;
  /** Set aside for others' calls. */
  readonly reserved: number;
  /** What the call is counted with; 0 in a report. */
  readonly projected: number;
  readonly remaining: number;
  readonly over: number;
  readonly usagePercent: number;
}

/** Tokens that are set aside for a call. */
export interface Lease {
  readonly id: string;
  readonly tokens: number;
  /** Milliseconds since the epoch: then others may have them. */
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
  /** The reason and what to do, for an agent and its user; empty where all is well. */
  readonly text: string;
  /** What the deciding limit has left after the call; null where nothing limits it. */
  readonly remainingTokens: number | null;
  readonly usagePercent: number | null;
  readonly level: Level | null;
  /** Every limit that holds for the call, the narrowest first. */
  readonly levels: readonly LevelState[];
  /** What was set aside; null where nothing was asked for or allowed. */
  readonly lease: Lease | null;
}

/** What was really used. */
export interface Usage extends Caller {
  readonly tokens: number;
  /** Settles what `checkBudget` set aside. Told twice, it counts once; with 0 tokens it gives all of them back. */
  readonly leaseId?: string | null | undefined;
  /** The tokens are all of this agent's so far, in this run, today; not of one more call. */
  readonly isTotal?: boolean;
}

export interface Recorded {
  readonly tokens: number;
  /** False when it was told before, and so changed nothing. */
  readonly isNew: boolean;
  /** What was used beyond its lease; 0 without one, null when that was over. */
  readonly beyondLease: number | null;
}

export interface BudgetReport {
  readonly budget: Budget;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Every limit once for each that it holds for and that used something; once with nothing used where that is nobody. */
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
  /** Files among the budgets that are none, and what to do about them; they limit nothing. */
  readonly strays: readonly { readonly file: string; readonly detail: string }[];
}

/** Makes a budget's file. Fails with `exists` where the convoy has one, also a damaged one. */
export function createBudget({ project, ...wanted }: NewBudget): Promise<Outcome<StoredBudget>> {
  return store.createBudget(wanted, portsOf(project));
}

/** Reads a convoy's budget. `not_found` is said only where there is no file: damage is `corrupt`. */
export function loadBudget({
  project,
  convoyId,
}: InProject & { readonly convoyId: string }): Promise<Outcome<StoredBudget>> {
  return store.loadBudget(convoyId, portsOf(project));
}

/** Writes a changed budget, if its file still is what was loaded: else `changed`, and nothing is written. */
export function saveBudget({
  project,
  budget,
  revision,
}: InProject & Pick<StoredBudget, "budget" | "revision">): Promise<Outcome<StoredBudget>> {
  return store.saveBudget(budget, revision, portsOf(project));
}

/** Removes a convoy's budget, also a damaged one, and answers its file. What was spent stays counted. */
export function deleteBudget({
  project,
  convoyId,
}: InProject & { readonly convoyId: string }): Promise<Outcome<string>> {
  return store.deleteBudget(convoyId, portsOf(project));
}

/** Every budget of the project, those that are damaged too. */
export function listBudgets({ project }: InProject): Promise<Outcome<ListedBudgets>> {
  return folder.listBudgets(portsOf(project));
}

/**
 * Says whether a call may be made, before it is made; with `reserve`, sets aside what it allows. Fails with `not_found` where the convoy
 * has no budget, and with `corrupt` or `unusable` where what limits the call, or what was spent, is not known: then do not make it.
 */
export async function checkBudget({
  project,
  reserve = false,
  ...call
}: PlannedCall): Promise<Outcome<Checked>> {
  const ports = portsOf(project);
  const planned = { ...callOf(call), projectedTokens: call.projectedTokens ?? null };
  if (reserve === false) {
    const checked = await checks.checkBudget(planned, ports);
    return checked.ok ? answered(checked.value, null) : checked;
  }
  const reserved = await reserveTokens(planned, ports, reserve === true ? leaseTime : reserve);
  return reserved.ok ? answered(reserved.value.answer, reserved.value.lease) : reserved;
}

function answered(answer: BudgetAnswer, lease: Lease | null): Outcome<Checked> {
  return { ok: true, value: { ...answer, text: answerInWords(answer), lease } };
}

/** Records what was used, whether or not it was allowed or there is a budget: a fact is never refused. */
export function recordUsage({
  project,
  tokens,
  leaseId,
  isTotal = false,
  ...caller
}: Usage): Promise<Outcome<Recorded>> {
  const as = isTotal ? ({ kind: "total" } as const) : ({ kind: "call", leaseId: leaseId ?? null } as const);
  return records.recordUsage({ call: callOf(caller), usage: tokens, as }, portsOf(project));
}

/** Tells how a convoy's budget stands. */
export function getBudgetReport({
  project,
  convoyId,
}: InProject & { readonly convoyId: string }): Promise<Outcome<BudgetReport>> {
  return reports.getBudgetReport(convoyId, portsOf(project));
}

function callOf({ convoyId, agentId, sessionId, runId }: Omit<Caller, "project">) {
  return { convoyId, agentId, sessionId: sessionId ?? agentId, ...(runId === undefined ? {} : { runId }) };
}

/** Changes of one process to one project wait for each other, so they go through one store. */
const stores = new Map<string, FileSpending>();

function portsOf(place: string) {
  const project = projectFolder(path.resolve(place));
  const files = {
    project,
    files: nodeFiles,
    unique: randomUUID,
    pause: (milliseconds: number) => pause(milliseconds),
  };
  const spending = stores.get(project) ?? new FileSpending(files);
  stores.set(project, spending);
  const owner = { pid: process.pid, machine: thisMachine() };
  return { ...files, ...owner, clock: systemClock, spending, history: noHistory };
}
