import { succeed, type Result } from "../../base/result.ts";
import type { BenchPorts, BenchRequest, OnProgress, PlanPorts } from "../../bench/bench-request.ts";
import { configurationHash, type Configuration } from "../../bench/configuration.ts";
import type { BenchPlan } from "../../bench/plan.ts";
import { planBench } from "../../bench/execute.ts";
import { suiteHash } from "../../bench/suite.ts";
import {
  type ExperimentProgress,
  benchRounds,
  priceOfRuns,
  measurePair,
  type PairOutcome,
  type PairPorts,
} from "../../verdict/measure-pair.ts";
import type { Evidence } from "../../verdict/evidence.ts";
import { type Question, usualQuestion } from "../../verdict/verdict.ts";
import {
  type ChangedPair,
  type Change,
  changedArms,
  type ArmsFault,
  type ChangedArms,
} from "../compare-change.ts";

export interface ComparisonRequest extends Omit<
  BenchRequest,
  "configurations" | "runs" | "taskIds" | "shard"
> {
  readonly base: Configuration;
  readonly change: Change;
  /** Compared with the same runs of the unchanged configuration. */
  readonly others?: readonly Change[];
  /** Null for the default. */
  readonly rounds: number | null;
  readonly evidence: readonly Evidence[];
  /** The receipt's kind for a prompt rewritten by a model; by default the change's own kind. */
  readonly kind?: "evolution";
}

export interface ComparisonListeners {
  readonly onBench: OnProgress;
  readonly onRound: (progress: ExperimentProgress) => Promise<void> | void;
}

export async function planComparison(
  request: ComparisonRequest,
  ports: PlanPorts,
): Promise<Result<BenchPlan, ArmsFault>> {
  const arms = armsOf(request);
  return arms.ok ? succeed(await planBench(benchOf(request, arms.value), ports)) : arms;
}

/** Works round by round, until the comparison is decided, futile, or the cap is reached. The same request resumes where it stopped. */
export async function runComparison(
  request: ComparisonRequest,
  ports: BenchPorts,
  signal: AbortSignal,
  { onBench, onRound }: ComparisonListeners,
): Promise<Result<PairOutcome, ArmsFault>> {
  const made = armsOf({ ...request, others: [] });
  if (!made.ok) return made;
  const [pair] = made.value.pairs;
  const bench = benchOf(request, made.value);
  const { onSide, ...common } = await measured(request, bench, ports);
  const outcome = await measurePair(
    { id: request.id, ...onSide(pair), ...common },
    { round: benchRounds(bench, ports, onBench), onProgress: onRound, ...portsOf(ports) },
    signal,
  );
  return succeed(outcome);
}

/** The parts that measurements of one change and of several share. */
export async function measured(request: ComparisonRequest, bench: BenchRequest, ports: BenchPorts) {
  const { suite, driver, seed, evidence, base } = request;
  const plan = await planBench({ ...bench, runs: 1 }, ports);
  return {
    suite,
    driver,
    seed,
    evidence,
    question: { ...questionOf(request), tokenCap: request.tokenCap },
    tokensPerRound: plan.tokens,
    onSide: ({ configurations, subject }: ChangedPair) => ({
      configurations,
      subject: { ...subject, kind: request.kind ?? subject.kind },
      key: {
        ruleId: configurations.map(configurationHash).join(":"),
        suiteHash: suiteHash(suite, base.agent),
        model: base.model,
        driver,
      },
    }),
  };
}

export function portsOf(ports: BenchPorts): Pick<PairPorts, "now" | "price"> {
  return { now: () => ports.clock.now(), price: (runs) => priceOfRuns(runs, ports.price) };
}

export function armsOf({ base, change, others }: ComparisonRequest): Result<ChangedArms, ArmsFault> {
  return changedArms(base, change, others);
}

function questionOf({ rounds, tokenCap }: ComparisonRequest): Question {
  const usual = usualQuestion("comparison", 0, tokenCap);
  return rounds === null ? usual : { ...usual, maxRounds: rounds, plannedRounds: rounds };
}

export function benchOf(request: ComparisonRequest, arms: ChangedArms): BenchRequest {
  const { id, suite, base, driver, seed, parallel, tokenCap, limits } = request;
  const taskIds = suite.tasks.filter(({ agent }) => agent === base.agent).map((task) => task.id);
  return {
    id,
    suite,
    ...arms.bench,
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
