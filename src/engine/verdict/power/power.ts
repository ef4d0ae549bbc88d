import { sentence, type Sentence } from "../../base/language.ts";
import { type ExpectedTokens, hasOwnSpread } from "../../bench/plan.ts";
import type { Provenance } from "../../usage/token-counts.ts";
import { maxTogether } from "../orthogonal-rows.ts";
import { usualWorth, type Question, jointQuestion, usualQuestion } from "../verdict.ts";
import {
  adviceOnRuns,
  adviceOnTrial,
  type Outlook,
  trialPlan,
  type RecentSessions,
  type TrialPlan,
} from "./wait-or-measure.ts";
import {
  adviceOnProof,
  adviceOnWorth,
  planProof,
  planWorth,
  type Earning,
  type WorthPlan,
} from "./plan-worth.ts";
import type { Use } from "../worth.ts";
import { chances, informationOf, type Runs } from "./chance.ts";

interface PowerPoint {
  /** Processing tokens per rule, or of a comparison. */
  readonly tokens: number;
  /** Rounds it pays for, at most those of the question. */
  readonly rounds: number;
  /** The chance to decide, from 0 to 1, for each of the plan's `savings`. */
  readonly chances: readonly number[];
}

interface PowerCurve {
  /** Rules measured with the same runs, this one included; 1 for a comparison. */
  readonly together: number;
  readonly points: readonly PowerPoint[];
  readonly most: PowerPoint;
}

export interface PowerPlan {
  /** Shares of a run's tokens that a change truly saves. */
  readonly savings: readonly number[];
  /** The number of waiting rules, or of compared changes; 1 for a single one. */
  readonly together: number;
  /**
   * True if several changes are compared with the same runs: the curves are for each separately, and for all at once.
   */
  readonly isOfArms?: boolean | undefined;
  /** Alone, together, and together with two more possible candidates; each once. */
  readonly curves: readonly PowerCurve[];
  /** Standard deviation of the logarithm of tokens, over runs of one task. */
  readonly noise: { readonly value: number; readonly source: Provenance; readonly because: Sentence };
  /** Expected processing tokens of a run. */
  readonly perRun: { readonly value: number; readonly source: Provenance; readonly because: Sentence };
  /** Share of runs that pass: a documented default. */
  readonly passShare: number;
  readonly tasks: number;
  /**
   * The saving that a run needs for the change to be kept, as a share of its tokens: twice the rent, or 0.
   */
  readonly barShare: number;
  /** Maximum additional effort to confirm the found rules as a set; absent if nothing is confirmed. */
  readonly confirmation?: { readonly rounds: number; readonly tokens: number } | undefined;
  /** A trial on real work; null where none is possible. */
  readonly trial: TrialPlan | null;
  /** What it takes to see which rules are worth having; absent where it is not known what they are used for. */
  readonly worth?: WorthPlan | undefined;
  /** The same for proof, at most. */
  readonly proof?: WorthPlan | undefined;
  /** Plain sentences. */
  readonly advice: readonly Sentence[];
}

export interface PowerRequest {
  readonly kind: Question["kind"];
  /** Number of waiting rules; 1 for a comparison. */
  readonly rules: number;
  /** Whether rules can be measured with the same runs: not in a replay. */
  readonly canShare: boolean;
  readonly expected: ExpectedTokens;
  readonly weights: readonly number[];
  /** Processing tokens that a run must save. */
  readonly bar: number;
  /** Maximum rounds of a comparison; null for the default. */
  readonly rounds: number | null;
  /** Maximum rounds to confirm the found rules as a set; 0 if nothing is confirmed. */
  readonly roundsOfSet?: number;
  /** Sessions of the agent for a trial; null without a trial. */
  readonly sessions: RecentSessions | null;
  /** What a rule would be used for; null or absent if that is not known. */
  readonly use?: Use | null;
  /** List price of a round in USD; null if unknown. */
  readonly usdOfRound?: number | null;
}

/** True savings for which chances are computed. The second is the usual worth. */
const savings = [0.05, usualWorth, 0.2];
/** Processing tokens per rule. */
const budgets = [500_000, 1_000_000, 2_000_000, 3_000_000, 5_000_000];
/** Candidates that may still come. */
const more = 2;
/**
 * Share of runs that pass, for golden tasks that an agent can do; also used in the simulations of `npm run bench --
 * verdicts`.
 */
const usualPassShare = 0.93;
/** Maximum bar: a rule with a higher one saves nothing anyway. */
const highestBar = 0.9;

export function planPower(request: PowerRequest): PowerPlan {
  const { expected, weights, bar, kind, sessions, canShare, roundsOfSet: rounds = 0 } = request;
  const { use = null, usdOfRound = null } = request;
  const { perRun, source, because } = expected;
  const together = canShare ? sizeOfGroup(request.rules) : 1;
  const noise = noiseOf(expected);
  const barShare = perRun <= 0 ? 0 : Math.min(highestBar, bar / perRun);
  const runs = { noise: noise.value, passShare: usualPassShare, tasks: equalTasks(weights) };
  const tokensOfRound = 2 * perRun * weights.length;
  const canGrow = canShare && kind === "candidate" && together + more <= maxTogether;
  const sizes = [...new Set([1, together, ...(canGrow ? [together + more] : [])])];
  const computed = sizes.map((size) =>
    curveOf(size, runs, {
      barShare,
      tokensOfRound,
      questionFor: (affordable) => questionOf(request, size, affordable),
    }),
  );
  const [now, later] = [together, together + more].map(
    (size) => computed.find(({ outlook }) => outlook.together === size)?.outlook ?? null,
  );
  const trial = sessions === null ? null : trialPlan(savings, sessions);
  const earning =
    use === null || perRun <= 0
      ? null
      : {
          rules: together,
          rent: bar,
          use,
          tokensOfRound,
          runsOfRound: 2 * weights.length,
          usdOfRound,
          ...informationOf(runs),
        };
  const worth = earning === null ? null : worthOf(earning, canGrow ? more : 0);
  const question = questionOf(request, together, null);
  const proof =
    earning === null
      ? null
      : planProof(
          earning,
          question.maxRounds + rounds,
          (share) => chances(share, runs, { barShare, question, together }).at(-1) ?? 0,
        );
  return {
    savings,
    together,
    curves: computed.map(({ curve }) => curve),
    noise,
    perRun: { value: perRun, source, because },
    passShare: usualPassShare,
    tasks: weights.length,
    barShare,
    ...(rounds === 0 ? {} : { confirmation: { rounds, tokens: rounds * tokensOfRound } }),
    trial,
    ...(worth === null || proof === null ? {} : { worth, proof }),
    advice: [
      ...(worth === null || proof === null
        ? now === null || now === undefined
          ? []
          : [adviceOnRuns(usualWorth, now, later ?? null)]
        : [adviceOnWorth(worth), adviceOnProof(proof)]),
      ...(trial === null ? [] : [adviceOnTrial(usualWorth, trial)]),
    ],
  };
}

/** @param more candidates that may still come */
function worthOf(earning: Earning, more: number): WorthPlan {
  const worth = planWorth(earning);
  const isLater = !worth.pays && more > 0 && planWorth({ ...earning, rules: earning.rules + more }).pays;
  return isLater ? { ...worth, more } : worth;
}

/** Divides rules evenly among as few groups as possible, as a selection does. */
function sizeOfGroup(rules: number): number {
  const groups = Math.ceil(rules / maxTogether);
  return groups === 0 ? 1 : Math.ceil(rules / groups);
}

function questionOf({ kind, rounds }: PowerRequest, together: number, affordable: number | null): Question {
  if (kind !== "comparison") return jointQuestion(kind, 0, { count: together, affordable });
  const usual = usualQuestion(kind, 0, null);
  return rounds === null ? usual : { ...usual, maxRounds: rounds, plannedRounds: rounds };
}

interface Priced {
  readonly barShare: number;
  /** Processing tokens of all runs of a round. */
  readonly tokensOfRound: number;
  /** The question of a measurement with at most this many rounds; null for no limit. */
  readonly questionFor: (affordable: number | null) => Question;
}

export function curveOf(
  together: number,
  runs: Runs,
  { barShare, tokensOfRound, questionFor }: Priced,
): { readonly curve: PowerCurve; readonly outlook: Outlook } {
  const byRoundOf = (question: Question, rounds = question.maxRounds) =>
    savings.map((share) => chances(share, runs, { barShare, question, together, rounds }));
  const whole = questionFor(null);
  const byRound = byRoundOf(whole);
  const pointAt = (tokens: number, rounds: number, chancesOf = byRound): PowerPoint => ({
    tokens,
    rounds,
    chances: chancesOf.map((each) => each[rounds - 1] ?? 0),
  });
  const { maxRounds, plannedRounds = maxRounds } = whole;
  // Each run is evidence about all rules: they share its price.
  const tokensOfRule = tokensOfRound / together;
  const points = budgets.map((tokens) => {
    const paid = tokensOfRule === 0 ? maxRounds : Math.floor(tokens / tokensOfRule);
    // A measurement with a smaller budget is planned for it.
    const own = questionFor(paid);
    const isOther = paid > 0 && (own.plannedRounds ?? own.maxRounds) < plannedRounds;
    return pointAt(tokens, Math.min(maxRounds, paid), isOther ? byRoundOf(own, paid) : byRound);
  });
  const most = pointAt(Math.round(maxRounds * tokensOfRule), maxRounds);
  const worth = byRound[savings.indexOf(usualWorth)] ?? [];
  const outlook: Outlook = {
    together,
    chance: worth.at(-1) ?? 0,
    tokensFor: (chance) => {
      const index = worth.findIndex((reached) => reached >= chance);
      return index < 0 ? null : (index + 1) * tokensOfRule;
    },
  };
  return { curve: { together, points, most }, outlook };
}

/** The standard deviation of the logarithm of numbers that vary by this share of their mean. */
function noiseOf(expected: ExpectedTokens): PowerPlan["noise"] {
  const value = Math.sqrt(Math.log1p(expected.spread ** 2));
  if (hasOwnSpread(expected)) return { value, source: expected.source, because: expected.because };
  return {
    value,
    source: "estimated",
    because: sentence("what is documented of how much runs of one task differ"),
  };
}

/** Number of tasks of equal weight with the same information. */
export function equalTasks(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight * weight, 0);
  return squares === 0 ? 0 : sum ** 2 / squares;
}
