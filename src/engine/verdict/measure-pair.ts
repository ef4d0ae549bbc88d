import { sentence, type Sentence } from "../base/language.ts";
import { decide } from "./judge.ts";
import {
  countedOf,
  countRounds,
  numberRounds,
  sameProgram,
  evidenceFor,
  nextSequence,
  plannedRoundsOf,
  programOf,
  poolEvidence,
  type Evidence,
  type EvidenceKey,
} from "./statistics/pool.ts";
import type { Question, RunSample, StopReason, Verdict } from "./verdict.ts";
import { type BenchRun, isEvidence } from "../bench/run-facts.ts";
import { receiptOfPair, tasksOfPair, type MeasuredPair } from "./receipt/of-pair.ts";
import { countedEvidence } from "./evidence.ts";
import type { Receipt } from "./receipt/receipt.ts";
import type { BenchPorts, BenchRequest, OnProgress } from "../bench/bench-request.ts";
import { runRound } from "../bench/execute.ts";

/**
 * Two configurations measured against each other round by round, judged after each round, until the experiment is
 * decided or futile, or until its limit is spent. The one engine for a rule (with or without it) and for any other
 * comparison.
 */
export interface ExperimentRequest {
  /** Its limits apply to this experiment alone, without the earlier ones. */
  readonly question: Question;
  /** Samples of earlier experiments on the same question (`pool.ts`). */
  readonly pooled: readonly RunSample[];
  /** Samples of complete rounds from before this experiment was interrupted. */
  readonly stored: readonly RunSample[];
  /** Expected processing tokens per round; null where unknown. Actual rounds replace the estimate. */
  readonly expectedTokens: number | null;
  /** Called after each round with all samples; returns whether it is measured no further. */
  readonly isEnough?: ((samples: readonly RunSample[], tokensOfRound: number) => boolean) | undefined;
}

/** Result of a round. `paused` and `cancelled` end the experiment; its next start repeats the round. */
export type RoundAnswer =
  | { readonly kind: "made"; readonly samples: readonly RunSample[] }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

interface ExperimentPorts {
  /** Runs a round, counted from 1: each task once per side, interleaved. */
  readonly round: (round: number, signal: AbortSignal) => Promise<RoundAnswer>;
  /**
   * Called after each round, once it is judged; resolves when the progress is stored. If absent, nothing is described.
   */
  readonly onProgress?: (progress: ExperimentProgress) => Promise<void> | void;
}

export interface ExperimentProgress {
  /** Current verdict, pooled evidence included. */
  readonly verdict: Verdict;
  readonly rounds: number;
  /** Processing tokens of this experiment. */
  readonly tokensSpent: number;
  /** Processing tokens expected until a decision, if the trend holds; null where no estimate is possible. */
  readonly tokensToDecision: number | null;
  /** This experiment's own samples: passed in again as `stored`, they let it resume from here. */
  readonly samples: readonly RunSample[];
  /** Rounds of earlier experiments behind the verdict. */
  readonly pooledRounds: number;
  /** Ids of these experiments, oldest first. */
  readonly from: readonly string[];
}

export type ExperimentEnd =
  | { readonly kind: "finished" }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

interface ExperimentOutcome extends ExperimentProgress {
  readonly end: ExperimentEnd;
}

/** @param signal cancels the experiment; the round in progress is cancelled too and does not count */
export async function runExperiment(
  request: ExperimentRequest,
  { round, onProgress }: ExperimentPorts,
  signal: AbortSignal,
): Promise<ExperimentOutcome> {
  const assess = assessor(request);
  let own = numberRounds(request.stored, 0);
  let progress = assess(own);
  const endAs = (end: ExperimentEnd): ExperimentOutcome => ({ ...progress.describe(), end });
  for (;;) {
    if (progress.rounds > 0 && progress.stop !== null) return endAs({ kind: "finished" });
    if (
      progress.rounds > 0 &&
      request.isEnough?.(progress.all, progress.tokensSpent / progress.rounds) === true
    ) {
      const { verdict, ...ended } = endAs({ kind: "finished" });
      return { ...ended, verdict: { ...verdict, stop: "worth" } };
    }
    if (signal.aborted) return endAs({ kind: "cancelled" });
    if (!isAffordable(request, progress)) {
      const { verdict, ...progress } = endAs({ kind: "finished" });
      return { ...progress, verdict: { ...verdict, stop: "cap" } };
    }
    const answer = await round(progress.rounds + 1, signal);
    if (answer.kind !== "made") return endAs(answer);
    if (answer.samples.length === 0)
      return endAs({ kind: "paused", detail: sentence("No run of the round said anything.") });
    own = [...own, ...numberAs(answer.samples, progress.rounds + 1)];
    progress = assess(own);
    await onProgress?.(progress.describe());
  }
}

interface State extends Pick<ExperimentProgress, "rounds" | "tokensSpent"> {
  readonly stop: StopReason | null;
  /** All samples, pooled ones included. */
  readonly all: readonly RunSample[];
  readonly describe: () => ExperimentProgress;
}

function assessor({
  question,
  pooled: earlier,
  expectedTokens,
}: ExperimentRequest): (own: readonly RunSample[]) => State {
  return (own) => {
    const pooled = numberRounds(sameProgram(earlier, own), 0);
    const pooledRounds = countRounds(pooled);
    const samples = [...pooled, ...numberRounds(own, pooledRounds)];
    const decision = decide(samples, { ...questionAfter(question, pooledRounds), tokenCap: null });
    const rounds = countRounds(own);
    const tokensSpent = own.reduce((sum, { tokens }) => sum + tokens, 0);
    const describe = () => {
      const verdict = decision.describe();
      const ofRound = tokensOfRound(rounds, tokensSpent, expectedTokens);
      const tokensToDecision =
        verdict.moreRounds === null || ofRound === null ? null : verdict.moreRounds * ofRound;
      const counted = countedOf(pooled, verdict.rounds - rounds);
      return { verdict, rounds, tokensSpent, tokensToDecision, samples: own, ...counted };
    };
    return { rounds, tokensSpent, stop: decision.stop, all: samples, describe };
  };
}

/** Starts no round that is expected to exceed the cap: a round stopped half-way is wasted. */
function isAffordable(
  { question, expectedTokens }: ExperimentRequest,
  { rounds, tokensSpent }: State,
): boolean {
  if (rounds >= question.maxRounds) return false;
  if (question.tokenCap === null) return true;
  const next = tokensOfRound(rounds, tokensSpent, expectedTokens) ?? 0;
  return tokensSpent < question.tokenCap && tokensSpent + next <= question.tokenCap;
}

function tokensOfRound(rounds: number, tokensSpent: number, expected: number | null): number | null {
  return rounds === 0 ? expected : tokensSpent / rounds;
}

/** Numbers samples by the requested round, whatever their own numbers. */
function numberAs(samples: readonly RunSample[], round: number): RunSample[] {
  return samples.map((sample) => ({ ...sample, round }));
}

/**
 * Converts the question about an experiment's own rounds to one about all of them. @param earlier rounds pooled with
 * its own
 */
export function questionAfter(question: Question, earlier: number): Question {
  const { maxRounds, plannedRounds = maxRounds, firstLook } = question;
  const look = firstLook === undefined ? {} : { firstLook: earlier + firstLook };
  return { ...question, ...look, maxRounds: earlier + maxRounds, plannedRounds };
}

export interface PairRequest extends MeasuredPair {
  /** Earlier evidence, pooled if it matches `key`; an experiment with this id is not counted twice. */
  readonly evidence: readonly Evidence[];
  readonly key: EvidenceKey;
  /** Expected processing tokens per round; null where unknown. */
  readonly tokensPerRound: number | null;
  readonly isEnough?: ExperimentRequest["isEnough"];
  /** What is expected of the subject, with all samples. */
  readonly expect?: (
    measured: { readonly verdict: Verdict; readonly tokens: number; readonly ms: number },
    samples: readonly RunSample[],
  ) => Receipt["expected"];
}

export type RoundRuns =
  | { readonly kind: "made"; readonly runs: readonly BenchRun[] }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

export interface PairPorts {
  /**
   * Runs a round, counted from 1: each task once per side, interleaved. A round run before is answered from
   * its stored runs.
   */
  readonly round: (round: number, signal: AbortSignal) => Promise<RoundRuns>;
  readonly onProgress: (progress: ExperimentProgress) => Promise<void> | void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** List price of runs in USD, or null. */
  readonly price: (runs: readonly BenchRun[]) => number | null;
}

export interface PairOutcome {
  readonly end: ExperimentEnd;
  readonly verdict: Verdict;
  /** Processing tokens. */
  readonly tokensSpent: number;
  /** Null when interrupted before a decision: the experiment resumes from its bench later. */
  readonly settled: SettledPair | null;
}

export interface SettledPair {
  readonly receipt: Receipt;
  readonly evidence: Evidence;
}

export async function measurePair(
  request: PairRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<PairOutcome> {
  const weights = new Map(tasksOfPair(request).map(({ id, weight }) => [id, weight]));
  const { key } = request;
  const all = request.evidence.filter(({ id }) => id !== request.id);
  const present = { now: ports.now() };
  const earlier = evidenceFor(all, key, present);
  const { kind, maxRounds, plannedRounds: planned = maxRounds } = request.question;
  const question = { ...request.question, plannedRounds: plannedRoundsOf(earlier, { kind, planned }) };
  const runs: BenchRun[] = [];
  const round = async (number: number, stop: AbortSignal): Promise<RoundAnswer> => {
    const made = await ports.round(number, stop);
    if (made.kind !== "made") return made;
    runs.push(...made.runs);
    return { kind: "made", samples: samplesOfRuns(made.runs, weights) };
  };
  const outcome = await runExperiment(
    {
      question,
      pooled: poolEvidence(all, key, present),
      stored: [],
      expectedTokens: request.tokensPerRound,
      isEnough: request.isEnough,
    },
    { round, onProgress: ports.onProgress },
    signal,
  );
  const { end, verdict, tokensSpent, samples } = outcome;
  if (samples.length === 0 || (end.kind !== "finished" && verdict.stop !== "decided"))
    return { end, verdict, tokensSpent, settled: null };
  const at = ports.now();
  const { from } = outcome;
  const rounds = { own: outcome.rounds, pooled: outcome.pooledRounds, from: [...from] };
  const about = countedEvidence({ all, key, present, from, own: samples });
  const evidence = about.since === null && about.leftOut.length === 0 ? {} : { evidence: about };
  const { price } = ports;
  const spent = { tokens: tokensSpent, ms: runs.reduce((sum, { durationMs }) => sum + durationMs, 0) };
  const pooled = numberRounds(sameProgram(poolEvidence(all, key, present), samples), 0);
  const whole = [...pooled, ...numberRounds(samples, countRounds(pooled))];
  const expected = request.expect?.({ verdict, ...spent }, whole);
  const receipt = receiptOfPair(
    { ...request, question },
    { at, verdict, rounds, ...evidence, runs, price, ...(expected === undefined ? {} : { expected }) },
  );
  return {
    end,
    verdict,
    tokensSpent,
    settled: {
      receipt,
      evidence: {
        ...key,
        id: request.id,
        at,
        samples,
        kind,
        plannedRounds: question.plannedRounds,
        sequence: nextSequence(all, key.ruleId),
        program: programOf(samples),
      },
    },
  };
}

type Sampled = Pick<BenchRun, "taskId" | "side" | "round" | "processingTokens" | "outcome" | "program">;

/**
 * Converts the runs of a two-sided bench to samples, and keeps those that are evidence about their side. A run that ran
 * out of time, turns or tokens did not pass.
 * @param weights of tasks by id; 1 if missing
 */
export function samplesOfRuns(runs: readonly Sampled[], weights: ReadonlyMap<string, number>): RunSample[] {
  return runs
    .filter(isEvidence)
    .flatMap(({ taskId, side, round, processingTokens: tokens, outcome, program }) => {
      if (side !== 0 && side !== 1) return [];
      const weight = weights.get(taskId) ?? 1;
      const known = program === undefined ? {} : { program };
      return [{ taskId, weight, side, round, tokens, passed: outcome === "passed", ...known }];
    });
}

/**
 * Rounds run by a bench, in a folder with the request's id; a round run before is answered from there. A bench that
 * cannot be opened pauses the experiment with that detail.
 */
export function benchRounds(
  request: BenchRequest,
  ports: BenchPorts,
  onProgress: OnProgress,
): PairPorts["round"] {
  const run = benchArms(request, ports, onProgress);
  return async (round, signal) => await run({ round, arms: null }, signal);
}

/** The same for a bench of several arms. @param about.arms the remaining ones; null for all */
export function benchArms(request: BenchRequest, ports: BenchPorts, onProgress: OnProgress) {
  return async (
    about: { readonly round: number; readonly arms: readonly number[] | null },
    signal: AbortSignal,
  ): Promise<RoundRuns> => {
    const answer = await runRound({ request, ...about }, ports, signal, onProgress);
    if (!answer.ok) return { kind: "paused", detail: answer.detail };
    const { state, runs } = answer.value;
    if (state.kind === "paused") return { kind: "paused", detail: state.detail };
    return state.kind === "done" ? { kind: "made", runs } : { kind: "cancelled" };
  };
}

/** Null where the price of a run is unknown. */
export function priceOfRuns(runs: readonly BenchRun[], price: BenchPorts["price"]): number | null {
  let whole = 0;
  for (const { model, processingTokens, usage } of runs) {
    const own = price(model, { processing: processingTokens, cacheRead: usage.cacheRead });
    if (own === null) return null;
    whole += own;
  }
  return whole;
}
