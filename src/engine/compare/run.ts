import { succeed, type Result } from "../base/result.ts";
import type { BenchPorts, BenchRequest, OnProgress, PlanPorts } from "../bench/request.ts";
import { configurationHash, type Configuration } from "../bench/configuration.ts";
import type { BenchPlan } from "../bench/plan/plan.ts";
import { planBench } from "../bench/execute/run-bench.ts";
import { suiteHash } from "../bench/suite/suite.ts";
import { benchRounds, priceOfRuns } from "../verdict/bench-rounds.ts";
import type { ExperimentProgress } from "../verdict/experiment.ts";
import { measurePair, type PairOutcome } from "../verdict/measure-pair.ts";
import type { Evidence } from "../verdict/statistics/pool.ts";
import { usualQuestion } from "../verdict/usual-question.ts";
import { changedPair, type Change, type ChangedPair, type ChangeFault } from "./change.ts";

/** A bench request, apart from the two sides and the number of runs. */
export interface ComparisonRequest extends Omit<
  BenchRequest,
  "configurations" | "runs" | "taskIds" | "shard"
> {
  /** The unchanged configuration. */
  readonly base: Configuration;
  readonly change: Change;
  /** Maximum rounds; null for the default. */
  readonly rounds: number | null;
  /** Evidence of earlier comparisons of the same pair. */
  readonly evidence: readonly Evidence[];
  /** The receipt's kind for a prompt rewritten by a model; by default the change's own kind. */
  readonly kind?: "evolution";
}

export interface ComparisonListeners {
  readonly onBench: OnProgress;
  readonly onRound: (progress: ExperimentProgress) => Promise<void> | void;
}

/** Returns what a comparison would run and spend at most. Starts nothing. */
export async function planComparison(
  request: ComparisonRequest,
  ports: PlanPorts,
): Promise<Result<BenchPlan, ChangeFault>> {
  const pair = changedPair(request.base, request.change);
  return pair.ok ? succeed(await planBench(benchOf(request, pair.value), ports)) : pair;
}

/**
 * Compares two configurations round by round, until the comparison is decided, futile, or reaches the cap.
 * Called again with the same request, it resumes where it stopped.
 */
export async function runComparison(
  request: ComparisonRequest,
  ports: BenchPorts,
  signal: AbortSignal,
  { onBench, onRound }: ComparisonListeners,
): Promise<Result<PairOutcome, ChangeFault>> {
  const made = changedPair(request.base, request.change);
  if (!made.ok) return made;
  const { configurations, subject } = made.value;
  const { id, suite, driver, seed, evidence, base } = request;
  const bench = benchOf(request, made.value);
  const plan = await planBench({ ...bench, runs: 1 }, ports);
  const outcome = await measurePair(
    {
      id,
      suite,
      configurations,
      driver,
      seed,
      evidence,
      subject: { ...subject, kind: request.kind ?? subject.kind },
      question: { ...questionOf(request), tokenCap: request.tokenCap },
      key: {
        ruleId: configurations.map(configurationHash).join(":"),
        suiteHash: suiteHash(suite, base.agent),
        model: base.model,
        driver,
      },
      tokensPerRound: plan.tokens,
    },
    {
      round: benchRounds(bench, ports, onBench),
      onProgress: onRound,
      now: () => ports.clock.now(),
      price: (runs) => priceOfRuns(runs, ports.price),
    },
    signal,
  );
  return succeed(outcome);
}

function questionOf({ rounds, tokenCap }: ComparisonRequest) {
  const usual = usualQuestion("comparison", 0, tokenCap);
  return { ...usual, maxRounds: rounds ?? usual.maxRounds };
}

function benchOf(request: ComparisonRequest, { configurations }: ChangedPair): BenchRequest {
  const { id, suite, base, driver, seed, parallel, tokenCap, limits } = request;
  const taskIds = suite.tasks.filter(({ agent }) => agent === base.agent).map((task) => task.id);
  return {
    id,
    suite,
    configurations,
    taskIds,
    runs: questionOf(request).maxRounds,
    driver,
    seed,
    parallel,
    tokenCap,
    shard: null,
    ...(limits === undefined ? {} : { limits }),
  };
}
