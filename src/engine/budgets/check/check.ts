import type { Clock } from "../../base/timing/clock.ts";
import { succeed } from "../../base/result.ts";
import { answerTo, type BudgetAnswer } from "./answer.ts";
import type { Budgeted } from "../faults.ts";
import type { BudgetFilePorts } from "../convoys/store.ts";
import { checkedTokens, spenderOf, type PlannedCall } from "./call.ts";
import { limitsFor, type Limits } from "../convoys/limits.ts";
import {
  givenProjection,
  unknownProjection,
  projectRun,
  type Projection,
  type RunHistory,
} from "../projection.ts";
import type { SpendingStore } from "../spending/store.ts";
import type { Spender } from "../spending/spending.ts";
import { Tally } from "../spending/tally.ts";

/** What budgets need of the world. */
export interface BudgetPorts extends BudgetFilePorts {
  readonly clock: Clock;
  readonly spending: SpendingStore;
  readonly history: RunHistory;
}

/**
 * Says whether a call may be made, before it is made; nothing is set aside for it, so two who ask at once may be told the same. Who
 * goes on to spend uses `reserveTokens`, which sets aside what it allows.
 *
 * Fails with `not_found` when the convoy has no budget, and with `corrupt` or `unusable` when what limits the call, or what was
 * spent, is not known: then the call is not allowed. The ledger's failure to tell a history is the port's to turn into none.
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

/** Who calls, what limits the call, and what it is expected to use. */
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

/** A call that is said to use nothing uses something: at its limit, a level lets no call through. */
async function project(
  { agentId, agentType, model = null, projectedTokens = null }: PlannedCall,
  history: RunHistory,
): Promise<Budgeted<Projection>> {
  if (projectedTokens === null)
    return succeed(await projectRun({ agentId: agentType ?? agentId, model }, history));
  const tokens = checkedTokens(projectedTokens);
  if (!tokens.ok) return tokens;
  return succeed(tokens.value === 0 ? unknownProjection : givenProjection(tokens.value));
}
