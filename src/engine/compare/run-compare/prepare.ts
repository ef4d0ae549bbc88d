import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { BenchPorts, PlanPorts } from "../../bench/bench-request.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { guardRefusal } from "../../bench/drivers.ts";
import type { BenchPlan } from "../../bench/plan.ts";
import { attemptOf } from "../attempt.ts";
import { changedArms, type ArmsFault, type ChangedArms } from "../compare-change.ts";
import { planComparison, type ComparisonRequest } from "./run-compare.ts";

/** A request before it is assigned to an attempt. */
export interface AskedComparison extends Omit<ComparisonRequest, "id" | "evidence" | "seed"> {
  /** Further files that both sides have. */
  readonly shared: readonly OverlayFile[];
  /** Null for the attempt's own number. */
  readonly seed: number | null;
  /** Attempt to continue; null for the interrupted one, else a new one. */
  readonly attempt: number | null;
}

export interface Prepared {
  readonly request: ComparisonRequest;
  readonly arms: ChangedArms;
  /** From 1. */
  readonly attempt: number;
  readonly folder: string;
}

/** `unguarded`: the driver cannot make runs with guards. */
type PrepareFault = ArmsFault | "unguarded";

/** Fails where two sides would be the same, or one is impossible. */
export async function prepareComparison(
  { shared, seed, attempt: wanted, base: own, ...asked }: AskedComparison,
  { folder }: Pick<BenchPorts, "folder">,
): Promise<Result<Prepared, PrepareFault>> {
  const base = { ...own, overlay: [...own.overlay, ...shared] };
  const arms = changedArms(base, asked.change, asked.others);
  if (!arms.ok) return arms;
  const { suite, driver, parallel, tokenCap } = asked;
  const refusal = guardRefusal(driver, arms.value.bench.configurations);
  if (refusal !== null) return fail("unguarded", refusal);
  const taskIds = suite.tasks.filter(({ agent }) => agent === base.agent).map(({ id }) => id);
  const about = { suite, driver, parallel, tokenCap };
  const bench = { ...about, ...arms.value.bench, taskIds, runs: 1, shard: null };
  const changes = arms.value.pairs.length;
  const { id, number, evidence } = await attemptOf(bench, folder, { wanted, changes });
  return succeed({
    request: { ...asked, id, base, evidence, seed: seed ?? number },
    arms: arms.value,
    attempt: number,
    folder: path.join(folder, id),
  });
}

/** Limits spending to the user's cap, else to the planned tokens. Replays spend nothing. */
export async function plannedComparison(
  { request }: Pick<Prepared, "request">,
  ports: PlanPorts,
): Promise<Result<{ readonly plan: BenchPlan; readonly request: ComparisonRequest }, ArmsFault>> {
  const plan = await planComparison(request, ports);
  if (!plan.ok) return plan;
  const tokenCap = request.tokenCap ?? (plan.value.tokens === 0 ? null : plan.value.tokens);
  return succeed({ plan: { ...plan.value, tokenCap }, request: { ...request, tokenCap } });
}
