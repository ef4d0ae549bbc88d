import type { Clock } from "../../base/timing.ts";
import { succeed } from "../../base/result.ts";
import { answerTo, type BudgetAnswer } from "./check-answer.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetFilePorts } from "../convoys/convoys-store.ts";
import { checkedPrice, checkedTokens, spenderOf, type PlannedCall } from "./describe-answer.ts";
import { limitsFor, type Limits } from "../convoys/members.ts";
import {
  givenProjection,
  unknownProjection,
  projectRun,
  type Projection,
  type RunHistory,
} from "../projection.ts";
import type { SpendingStore } from "../spending/spending-store.ts";
import type { Spender } from "../spending/spending.ts";
import { Tally } from "../spending/tally.ts";

export interface BudgetPorts extends BudgetFilePorts {
  readonly clock: Clock;
  readonly spending: SpendingStore;
  readonly history: RunHistory;
}

/**
 * Checks whether a planned call is allowed, and reserves nothing: two concurrent checks may both be allowed;
 * `reserveTokens` reserves what is allowed. Fails with `not_found` if the convoy has no budget, and with
 * `corrupt` or `unusable` if a limit or the spending is unknown: then the call is not allowed. When the
 * ledger cannot provide a history, the port returns none.
 */
export async function checkBudget(call: PlannedCall, ports: BudgetPorts): Promise<Budgeted<BudgetAnswer>> {
  const planned = await planCall(call, ports);
  if (!planned.ok) return planned;
  const spending = await ports.spending.read();
  if (!spending.ok) return spending;
  const { spender, limits, budgets, projected } = planned.value;
  const tally = new Tally(spending.value, budgets);
  return succeed(answerTo(limits, projected, { tally, spender, now: ports.clock.now() }));
}

export interface Plan extends Limits {
  readonly spender: Spender;
  readonly projected: Projection;
}

export async function planCall(call: PlannedCall, ports: BudgetPorts): Promise<Budgeted<Plan>> {
  const spender = spenderOf(call);
  if (!spender.ok) return spender;
  const limits = await limitsFor(call.convoyId, ports);
  if (!limits.ok) return limits;
  const projected = await project(call, ports.history);
  if (!projected.ok) return projected;
  return succeed({ ...limits.value, spender: spender.value, projected: projected.value });
}

/**
 * Projects the call's usage. A stated usage of nothing counts as unknown: a level at its limit then allows no
 * call.
 */
async function project(call: PlannedCall, history: RunHistory): Promise<Budgeted<Projection>> {
  const { agentId, agentType, model = null, projectedTokens = null } = call;
  const usd = checkedPrice("usd", call.projectedUsd ?? null);
  if (!usd.ok) return usd;
  const credits = checkedPrice("credits", call.projectedCredits ?? null);
  if (!credits.ok) return credits;
  const prices = { usd: usd.value, credits: credits.value };
  if (projectedTokens === null)
    return succeed({ ...(await projectRun({ agentId: agentType ?? agentId, model }, history)), ...prices });
  const tokens = checkedTokens(projectedTokens);
  if (!tokens.ok) return tokens;
  const isNothing = tokens.value === 0 && (prices.usd ?? 0) === 0 && (prices.credits ?? 0) === 0;
  return succeed(isNothing ? unknownProjection : givenProjection(tokens.value, prices));
}

export interface HookSpender {
  readonly sessionId: string;
  /** The ledger's name for the agent: `main`, or a subagent's id. */
  readonly agentId: string;
  /** A subagent's type; null for the main agent. */
  readonly agentType: string | null;
  readonly cwd: string;
}

export interface CallRequest {
  /** Whether the hook is for a person's prompt, which starts a run. */
  readonly isPrompt: boolean;
  /** Estimated input of the next call that is not in the transcript yet. Tokens. */
  readonly added: number;
  /** Number of calls that must fit: only the next one, or also another one to sum up. */
  readonly calls: 1 | 2;
  /** A tool use requested by the agent's last response: as long as the transcript lacks it, it lacks that response's usage too. */
  readonly toolUse: string | null;
}

export interface CallVerdict {
  readonly answer: BudgetAnswer;
  /** Whether a single call fits. */
  readonly fitsOnce: boolean;
}
