import path from "node:path";
import { succeed, type Result, fail } from "../base/result.ts";
import type { BenchPorts, BenchRequest, OnProgress, PlanPorts } from "../bench/bench-request.ts";
import { configurationHash, type Configuration, type OverlayFile } from "../bench/configuration.ts";
import type { BenchPlan, ExpectedTokens } from "../bench/plan.ts";
import { planBench } from "../bench/execute.ts";
import { suiteHash } from "../bench/suite.ts";
import {
  type ExperimentProgress,
  benchRounds,
  priceOfRuns,
  measurePair,
  type PairOutcome,
  type PairPorts,
  benchArms,
} from "../verdict/measure-pair.ts";
import type { Evidence } from "../verdict/evidence.ts";
import { type Question, usualQuestion } from "../verdict/verdict.ts";
import {
  type ChangedPair,
  type Change,
  changedArms,
  type ArmsFault,
  type ChangedArms,
} from "./compare-change.ts";
import { guardRefusal } from "../bench/drivers.ts";
import { attemptOf } from "./attempt.ts";
import {
  armQuestion,
  measureArms,
  type ArmProgress,
  type ArmsOutcome,
  type ArmsPorts,
  planArms,
} from "../verdict/arms.ts";
import { planPower, type PowerPlan } from "../verdict/power.ts";

/** A request before it is assigned to an attempt. */
export interface ComparisonInput extends Omit<ComparisonRequest, "id" | "evidence" | "seed"> {
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
  { shared, seed, attempt: wanted, base: own, ...asked }: ComparisonInput,
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
async function measured(request: ComparisonRequest, bench: BenchRequest, ports: BenchPorts) {
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

function portsOf(ports: BenchPorts): Pick<PairPorts, "now" | "price"> {
  return { now: () => ports.clock.now(), price: (runs) => priceOfRuns(runs, ports.price) };
}

function armsOf({ base, change, others }: ComparisonRequest): Result<ChangedArms, ArmsFault> {
  return changedArms(base, change, others);
}

function questionOf({ rounds, tokenCap }: ComparisonRequest): Question {
  const usual = usualQuestion("comparison", 0, tokenCap);
  return rounds === null ? usual : { ...usual, maxRounds: rounds, plannedRounds: rounds };
}

function benchOf(request: ComparisonRequest, arms: ChangedArms): BenchRequest {
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

interface ArmsListeners {
  readonly onBench: OnProgress;
  readonly onRound: (arms: readonly ArmProgress[]) => Promise<void> | void;
  readonly onSettled: ArmsPorts["onSettled"];
}

/**
 * Works round by round, until each change is decided, futile, or the cap is reached. The same request resumes where it stopped, and reports settled
 * results again.
 */
export async function runArmsComparison(
  request: ComparisonRequest,
  ports: BenchPorts,
  signal: AbortSignal,
  { onBench, onRound, onSettled }: ArmsListeners,
): Promise<Result<ArmsOutcome, ArmsFault>> {
  const made = armsOf(request);
  if (!made.ok) return made;
  const { pairs } = made.value;
  const bench = benchOf(request, made.value);
  const { onSide, question, ...common } = await measured(request, bench, ports);
  const outcome = await measureArms(
    {
      ...common,
      question: armQuestion(question, pairs.length),
      arms: pairs.map((pair, index) => ({ id: `${request.id}.${index + 1}`, ...onSide(pair) })),
    },
    { round: benchArms(bench, ports, onBench), onProgress: onRound, onSettled, ...portsOf(ports) },
    signal,
  );
  return succeed(outcome);
}

/** `rounds` is null for the default; `changes` are compared with the same runs. */
export function comparisonPower(
  {
    changes,
    ...about
  }: {
    readonly weights: readonly number[];
    readonly rounds: number | null;
    readonly changes: number;
  },
  expected: ExpectedTokens,
): PowerPlan {
  const kind = "comparison" as const;
  const request = { ...about, kind, expected, rules: 1, canShare: false, bar: 0, sessions: null };
  return changes === 1 ? planPower(request) : planArms(request, changes);
}
