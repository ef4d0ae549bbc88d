import { measuresModel, type BenchRun, type DriverName } from "../bench/run-facts.ts";
import { configurationHash, type Configuration } from "../bench/configuration.ts";
import { suiteHash, type Suite } from "../bench/suite/suite.ts";
import {
  runExperiment,
  type ExperimentEnd,
  type ExperimentProgress,
  type RoundAnswer,
} from "./experiment.ts";
import {
  evidenceFor,
  plannedRoundsOf,
  poolEvidence,
  type Evidence,
  type EvidenceKey,
} from "./statistics/pool.ts";
import { sealReceipt, type Receipt } from "./receipt/receipt.ts";
import { samplesOfRuns } from "./run-samples.ts";
import { sideFigures } from "./statistics/side-figures.ts";
import type { Question, Verdict } from "./verdict.ts";

/** Two configurations of one agent, measured against each other on a suite's tasks. */
export interface PairRequest {
  /** Id of the pair's bench, evidence and receipt. */
  readonly id: string;
  readonly subject: Receipt["subject"];
  /** Unchanged, and with the change. Everything in which they do not differ is held constant. */
  readonly configurations: readonly [Configuration, Configuration];
  readonly suite: Suite;
  /** The rules of a set, where the pair is all of them against none. */
  readonly set?: Receipt["set"];
  readonly question: Question;
  readonly driver: DriverName;
  readonly seed: number;
  /** Earlier evidence, pooled where it matches `key`; an experiment with this id is not counted twice. */
  readonly evidence: readonly Evidence[];
  readonly key: EvidenceKey;
  /** Expected processing tokens per round; null where unknown. */
  readonly tokensPerRound: number | null;
}

/** Result of a round run by the bench. */
export type RoundRuns =
  | { readonly kind: "made"; readonly runs: readonly BenchRun[] }
  | { readonly kind: "paused"; readonly detail: string }
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
  readonly settled: { readonly receipt: Receipt; readonly evidence: Evidence } | null;
}

/** Measures a pair until it is decided, futile or its limit is spent, and writes the receipt. */
export async function measurePair(
  request: PairRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<PairOutcome> {
  const weights = new Map(tasksOf(request).map(({ id, weight }) => [id, weight]));
  const earlier = evidenceFor(request.evidence, request.key).filter(({ id }) => id !== request.id);
  const { maxRounds, plannedRounds = maxRounds } = request.question;
  const question = { ...request.question, plannedRounds: plannedRoundsOf(earlier) ?? plannedRounds };
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
      pooled: poolEvidence(earlier, request.key),
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
  const rounds = { own: outcome.rounds, pooled: outcome.pooledRounds, from: earlier.map(({ id }) => id) };
  // Replayed runs cost nothing and have no price.
  const usd = measuresModel(request.driver) ? ports.price(runs) : null;
  const receipt = writeReceipt({ ...request, question }, { at, verdict, rounds, runs, usd });
  return {
    end,
    verdict,
    tokensSpent,
    settled: {
      receipt,
      evidence: { ...request.key, id: request.id, at, samples, plannedRounds: question.plannedRounds },
    },
  };
}

interface Written {
  readonly at: number;
  readonly verdict: Verdict;
  readonly rounds: Receipt["rounds"];
  readonly runs: readonly BenchRun[];
  readonly usd: number | null;
}

function writeReceipt(request: PairRequest, { at, verdict, rounds, runs, usd }: Written): Receipt {
  const { subject, set, question, suite, seed, driver, configurations } = request;
  const { agent } = configurations[0];
  const figures = sideFigures(runs);
  const side = (index: 0 | 1): Receipt["sides"][0] => {
    const { label, model, effort } = configurations[index];
    const hash = configurationHash(configurations[index]);
    return { label, configurationHash: hash, model, effort, figures: figures?.[index] ?? null };
  };
  return sealReceipt({
    version: 1,
    id: `${request.id}.receipt`,
    subject,
    at,
    agent,
    sides: [side(0), side(1)],
    question,
    verdict,
    tasks: tasksOf(request).map(({ id, hash }) => ({ id, hash })),
    suiteHash: suiteHash(suite, agent),
    fixtureHash: suite.fixture.hash,
    seed,
    driver,
    rounds,
    recordedBy: [...new Set(runs.flatMap(({ recordedBy }) => recordedBy ?? []))],
    spent: {
      runs: runs.length,
      processingTokens: runs.reduce((sum, run) => sum + run.processingTokens, 0),
      cacheRead: runs.reduce((sum, { usage }) => sum + usage.cacheRead, 0),
      usd,
    },
    ...(set === undefined ? {} : { set }),
  });
}

function tasksOf({ suite, configurations }: PairRequest): Suite["tasks"] {
  return suite.tasks.filter(({ agent }) => agent === configurations[0].agent);
}
