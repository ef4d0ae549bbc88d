import { inPercent } from "./power/wait-or-measure.ts";
import {
  runJointExperiment,
  type JointOutcome,
  type JointPorts,
  type JointRequest,
  type JointProgress,
} from "./joint.ts";
import type { JointRun } from "./orthogonal-rows.ts";
import { type Question, type RunSample, usualWorth, usualQuestion } from "./verdict.ts";
import { controlsOf } from "../bench/plan.ts";
import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import type {
  ExperimentEnd,
  ExperimentProgress,
  PairPorts,
  PairRequest,
  RoundRuns,
  SettledPair,
} from "./measure-pair.ts";
import { receiptOfPair, tasksOfPair } from "./receipt/of-pair.ts";
import { countedEvidence } from "./evidence.ts";
import {
  evidenceFor,
  nextSequence,
  plannedRoundsOf,
  poolEvidence,
  programOf,
  type Present,
} from "./statistics/pool.ts";
import { sentence, type Sentence } from "../base/language.ts";
import { shortNumber } from "../base/format.ts";
import { curveOf, equalTasks, planPower, type PowerPlan, type PowerRequest } from "./power/power.ts";

/**
 * Returns the question about each of several changes that are compared with the same runs. Each gets its part of the
 * error, so that the chance of any false claim stays the same as for one (Bonferroni). A change that saves nothing is
 * given up even if it may cost more.
 */
export function armQuestion(question: Question, arms: number): Question {
  return { ...question, alpha: question.alpha / arms, arms };
}

/**
 * Measures several changes with the same runs of the unchanged configuration, each judged on its own. Shared controls
 * make their results similar, but increase no error rate.
 * @param request the subjects are the arms. A run without rules is one of the unchanged configuration
 */
export async function runArms(
  request: Pick<JointRequest, "subjects" | "tokenCap" | "expectedTokens">,
  ports: JointPorts,
  signal: AbortSignal,
): Promise<JointOutcome> {
  return await runJointExperiment({ ...request, samplesOf: armSamples, sizeOfRound }, ports, signal);
}

function armSamples(id: string, runs: readonly JointRun[]): RunSample[] {
  return runs.flatMap(({ rules, ...run }): RunSample[] => {
    if (rules.length === 0) return [{ ...run, side: 0 }];
    return rules.includes(id) ? [{ ...run, side: 1 }] : [];
  });
}

/** Average number of runs of a task per round. @param open arms that remain */
export function sizeOfRound(open: number): number {
  return open + Math.sqrt(open);
}

/** One of several changes, each compared with the same runs of the unchanged configuration. */
type Arm = Pick<PairRequest, "id" | "subject" | "configurations" | "key">;

interface ArmsRequest extends Pick<
  PairRequest,
  "suite" | "question" | "driver" | "seed" | "evidence" | "tokensPerRound"
> {
  /** In the order of the bench's configurations, after the unchanged ones. */
  readonly arms: readonly Arm[];
}

/** Interim state of one arm. Its spent tokens are its part of the runs. */
export interface ArmProgress {
  /** From 1. */
  readonly arm: number;
  readonly experiment: ExperimentProgress;
}

export interface ArmsPorts extends Pick<PairPorts, "now" | "price"> {
  /**
   * Runs a round, counted from 1, of the remaining arms, counted from 1. A round run before is answered from its stored
   * runs.
   */
  readonly round: (
    about: { readonly round: number; readonly arms: readonly number[] },
    signal: AbortSignal,
  ) => Promise<RoundRuns>;
  readonly onProgress: (allProgress: readonly ArmProgress[]) => Promise<void> | void;
  /**
   * Called once for each arm, as soon as no further round is run for it; again if an interrupted measurement is
   * repeated.
   */
  readonly onSettled: (arm: number, settled: SettledPair) => Promise<void>;
}

export interface ArmsOutcome {
  readonly end: ExperimentEnd;
  /** Arms that were not settled, counted from 1. */
  readonly open: readonly number[];
  /** Processing tokens. */
  readonly tokensSpent: number;
}

interface MadeRound {
  readonly runs: readonly BenchRun[];
  readonly arms: readonly number[];
}

/**
 * Compares several changes with the same runs of the unchanged configuration. Each is judged as a pair of its own, at
 * its part of the error (Bonferroni): shared controls make their results similar, but increase no error rate. A settled
 * arm is not run again, and the others continue.
 */
export async function measureArms(
  request: ArmsRequest,
  ports: ArmsPorts,
  signal: AbortSignal,
): Promise<ArmsOutcome> {
  const present = { now: ports.now() };
  const arms = request.arms.map((arm, index) => ({
    number: index + 1,
    ...arm,
    ...asked(request, arm, present),
  }));
  const weights = new Map(arms.flatMap((arm) => tasksOf(request, arm)).map(({ id, weight }) => [id, weight]));
  const controls = controlsOf(arms.length);
  const rounds: MadeRound[] = [];
  const outcome = await runArms(
    {
      subjects: arms.map(({ number, question, pooled }) => ({ id: String(number), question, pooled })),
      tokenCap: request.question.tokenCap,
      expectedTokens: request.tokensPerRound,
    },
    {
      round: async ({ round, open }, stop) => {
        const left = open.map(Number);
        const made = await ports.round({ round, arms: left }, stop);
        if (made.kind !== "made") return made;
        const runs = made.runs.map((run) => ({ ...run, side: Math.max(0, run.side - controls + 1) }));
        rounds.push({ runs, arms: left });
        return { kind: "made" as const, runs: runs.filter(isEvidence).map((run) => sampled(run, weights)) };
      },
      onProgress: (allProgress) => ports.onProgress(allProgress.map((each) => progressOf(each, rounds))),
      onSettled: async (progress) => {
        const arm = arms[Number(progress.id) - 1];
        if (arm !== undefined)
          await ports.onSettled(arm.number, settle(request, { ...arm, progress, rounds }, ports));
        return { isKept: false };
      },
    },
    signal,
  );
  const { end, open, tokensSpent } = outcome;
  return { end, open: open.map(Number), tokensSpent };
}

function asked({ question, evidence }: ArmsRequest, { id, key }: Arm, present: Present) {
  const all = evidence.filter((each) => each.id !== id);
  const earlier = evidenceFor(all, key, present);
  const { kind, maxRounds, plannedRounds: planned = maxRounds } = question;
  return {
    question: { ...question, plannedRounds: plannedRoundsOf(earlier, { kind, planned }) },
    pooled: poolEvidence(all, key, present),
    all,
    present,
  };
}

function sampled(
  { side, taskId, round, processingTokens, outcome, program }: BenchRun,
  weights: ReadonlyMap<string, number>,
): JointRun {
  const weight = weights.get(taskId) ?? 1;
  const rules = side === 0 ? [] : [String(side)];
  const known = program === undefined ? {} : { program };
  return { taskId, weight, round, tokens: processingTokens, passed: outcome === "passed", rules, ...known };
}

/** An arm's part of a sum over runs: its own runs, and an equal part of the unchanged ones in each of its rounds. */
function partOf(arm: number, rounds: readonly MadeRound[], value: (run: BenchRun) => number): number {
  let sum = 0;
  for (const { runs, arms } of rounds.filter((each) => each.arms.includes(arm)))
    for (const run of runs)
      sum += run.side === arm ? value(run) : run.side === 0 ? value(run) / arms.length : 0;
  return Math.round(sum);
}

function progressOf({ id, ...progress }: JointProgress, rounds: readonly MadeRound[]): ArmProgress {
  const tokensSpent = partOf(Number(id), rounds, ({ processingTokens }) => processingTokens);
  const ofRound = tokensSpent / Math.max(1, progress.rounds);
  const { moreRounds } = progress.verdict;
  const tokensToDecision = moreRounds === null ? null : moreRounds * ofRound;
  return { arm: Number(id), experiment: { ...progress, tokensSpent, tokensToDecision } };
}

type AskedArm = Arm & ReturnType<typeof asked> & { readonly number: number };

function settle(
  request: ArmsRequest,
  {
    number,
    progress,
    rounds,
    all,
    present,
    ...arm
  }: AskedArm & { readonly progress: JointProgress; readonly rounds: readonly MadeRound[] },
  ports: ArmsPorts,
): SettledPair {
  const own = rounds.filter(({ arms }) => arms.includes(number));
  const runs = own.flatMap((round) =>
    round.runs
      .filter(({ side }) => side === 0 || side === number)
      .map((run) => ({ ...run, side: Math.min(1, run.side) })),
  );
  const others = new Set(own.flatMap(({ arms }) => arms).filter((other) => other !== number));
  const at = ports.now();
  const { verdict, samples, from } = progress;
  const about = countedEvidence({ all, key: arm.key, present, from, own: samples });
  const receipt = receiptOfPair(
    { ...request, ...arm },
    {
      at,
      verdict,
      rounds: { own: progress.rounds, pooled: progress.pooledRounds, from: [...from] },
      ...(about.since === null && about.leftOut.length === 0 ? {} : { evidence: about }),
      runs,
      price: ports.price,
      shared: {
        together: request.arms.flatMap(({ subject }, index) => (others.has(index + 1) ? [subject.id] : [])),
        part: (value) => partOf(number, rounds, value),
      },
    },
  );
  const { kind, plannedRounds } = arm.question;
  const sequence = nextSequence(all, arm.key.ruleId);
  const program = programOf(samples);
  return {
    receipt,
    evidence: { ...arm.key, id: arm.id, at, samples, kind, plannedRounds, sequence, program },
  };
}

function tasksOf({ suite }: ArmsRequest, { configurations }: Arm) {
  return tasksOfPair({ suite, configurations });
}

/** The chance with a stated price, and the chance below which measuring is not advised. */
const [wanted, poor] = [0.8, 0.5];

/**
 * Plans several changes that are compared with the same runs, and, as the first curve, each with unchanged runs of its
 * own: both with one error rate for all together.
 * @param request of one comparison
 */
export function planArms(request: PowerRequest, arms: number): PowerPlan {
  const plan = planPower(request);
  const { rounds, expected, weights } = request;
  const usual = usualQuestion("comparison", 0, null);
  const question = armQuestion(rounds === null ? usual : { ...usual, maxRounds: rounds }, arms);
  const tasks = equalTasks(weights);
  /** @param part an arm's share of a pair's tokens per round, and of its difference's variance */
  const outlookOf = (part: number, kind: "comparison" | "candidate") =>
    curveOf(
      1,
      { noise: plan.noise.value * Math.sqrt(part), passShare: plan.passShare, tasks },
      {
        barShare: 0,
        tokensOfRound: part * 2 * expected.perRun * weights.length,
        // Arms are given up like candidates: for lack of a saving.
        questionFor: () => ({ ...question, kind }),
      },
    );
  const apart = outlookOf(1, "comparison");
  // A difference from the mean of √k runs varies less than one between two runs. An arm uses its own run and its part
  // of the shared ones.
  const shared = outlookOf(sizeOfRound(arms) / (2 * arms), "candidate");
  return {
    ...plan,
    together: arms,
    isOfArms: true,
    curves: [apart.curve, { ...shared.curve, together: arms }],
    advice: [adviceOf(apart, shared)],
  };
}

type Planned = ReturnType<typeof curveOf>;

function adviceOf(apart: Planned, shared: Planned): Sentence {
  const worth = inPercent(usualWorth);
  const chance = Math.min(wanted, shared.outlook.chance);
  const price = shared.outlook.tokensFor(chance) ?? shared.curve.most.tokens;
  const own = apart.outlook.tokensFor(chance);
  const values = {
    worth,
    chance: inPercent(chance),
    tokens: shortNumber(price),
    other:
      own === null
        ? sentence(
            "of {0} for about {1}",
            inPercent(apart.outlook.chance),
            shortNumber(apart.curve.most.tokens),
          )
        : sentence("as good for about {0}", shortNumber(own)),
  };
  return shared.outlook.chance >= poor
    ? sentence(
        "Compare them at once: a true saving of {worth} is shown with a chance of {chance} for about {tokens} tokens a change; with as-is runs of its own it is {other}.",
        values,
      )
    : sentence(
        "Comparing them now says little: a true saving of {worth} is shown with a chance of {chance} at most for about {tokens} tokens a change; with as-is runs of its own it is {other}.",
        values,
      );
}
