import type { Sentence } from "../../base/language.ts";
import { measuresModel, type BenchRun, isEvidence } from "../../bench/run-facts.ts";
import {
  runExperiment,
  type ExperimentEnd,
  type ExperimentProgress,
  type RoundAnswer,
} from "./verdict-experiment.ts";
import {
  evidenceFor,
  nextSequence,
  plannedRoundsOf,
  programOf,
  poolEvidence,
  type Evidence,
  type EvidenceKey,
} from "../statistics/pool.ts";
import { receiptOfPair, tasksOfPair, type MeasuredPair } from "../receipt/of-pair.ts";
import { countedEvidence } from "../evidence.ts";
import type { Receipt } from "../receipt/receipt.ts";
import type { Verdict, RunSample } from "../verdict.ts";

export interface PairRequest extends MeasuredPair {
  /** Earlier evidence, pooled if it matches `key`; an experiment with this id is not counted twice. */
  readonly evidence: readonly Evidence[];
  readonly key: EvidenceKey;
  /** Expected processing tokens per round; null where unknown. */
  readonly tokensPerRound: number | null;
}

/** Result of a round run by the bench. */
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

/** Measures a pair until it is decided or futile, or until its limit is spent, and writes the receipt. */
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
  // Replayed runs cost nothing and have no price.
  const usd = measuresModel(request.driver) ? ports.price(runs) : null;
  const receipt = receiptOfPair({ ...request, question }, { at, verdict, rounds, ...evidence, runs, usd });
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
