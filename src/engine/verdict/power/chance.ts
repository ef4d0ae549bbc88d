import { errorOfCompleted, errorOfPasses, failureBoundary, hopeless } from "../judge-once.ts";
import { type Question, minContrasts, usualMargin, usualWorth } from "../verdict.ts";
import { patientBoundaries, crossedAbove } from "../statistics/boundaries.ts";
import { normalCdf } from "../statistics/normal.ts";

/** The properties of an agent's runs that decide how soon a question about them is answered. */
export interface Runs {
  /** Standard deviation of the logarithm of the tokens of runs of one task and configuration. */
  readonly noise: number;
  /** Share of runs that pass, from 0 to 1. */
  readonly passShare: number;
  /** Number of tasks of equal weight with the same information as the agent's tasks. */
  readonly tasks: number;
}

export interface Asked {
  /** The bar, as a share of a run's tokens. */
  readonly barShare: number;
  readonly question: Pick<
    Question,
    "kind" | "alpha" | "maxRounds" | "plannedRounds" | "worth" | "passMargin"
  >;
  /** Number of rules measured with the same runs, this one included. */
  readonly together: number;
  /** Rounds to look at: fewer than the question's if the budget is smaller. All by default. */
  readonly rounds?: number;
}

/**
 * Returns the chance that a change that truly saves this share is shown to save by each look. Follows `judge.ts`: after
 * each round, the sum of log differences is compared with boundaries; a hopeless change is given up. Runs are assumed
 * to be log-normal, and rounds equal. Two simplifications: passes are assumed to be equally frequent on both sides and
 * independent of tokens, and no run goes astray.
 */
export function chances(share: number, { noise, passShare, tasks }: Runs, asked: Asked): number[] {
  const { question, together, barShare, rounds = question.maxRounds } = asked;
  const { alpha, kind, maxRounds, plannedRounds = maxRounds, worth = usualWorth } = question;
  const exponent = -Math.log(1 - share);
  const ofRound = tasks;
  // Standard deviations that one round's evidence moves per unit of the exponent.
  const slope = Math.sqrt(ofRound) / (Math.max(minNoise, noise) * Math.SQRT2);
  const boundaries = patientBoundaries(alpha, plannedRounds);
  const looks = Array.from({ length: rounds }, (_, index) => {
    const look = index + 1;
    const root = Math.sqrt(look);
    const freedom = ofRound * look - together;
    const bound = asDeviate(boundaries.at(look), freedom);
    const mean = (against: number) => look * slope * (exponent + Math.log(1 - against));
    const isEnough = ofRound * look - (together - 1) >= minContrasts;
    const isLate = 2 * look >= Math.max(plannedRounds, maxRounds);
    const hopelessAt = -hopeless * root - mean(worth);
    // Questions other than a candidate's are given up only if an equally large cost is as unlikely.
    const isGivenUp = isLate && (kind === "candidate" || hopelessAt >= hopeless * root - mean(-worth));
    return {
      upper: isEnough ? bound * root - mean(barShare) : Infinity,
      lower: Math.max(
        isEnough ? -bound * root - mean(barShare) : -Infinity,
        isGivenUp ? hopelessAt : -Infinity,
      ),
    };
  });
  let asGood = 0;
  return crossedAbove(looks).map((crossed, index) => {
    asGood = Math.max(asGood, shownOfFailures(index + 1, { share, noise, tasks, passShare }, question));
    return crossed * asGood;
  });
}

/** Minimum noise: runs that never differ would leave nothing to compare with. */
const minNoise = 0.01;

/** What one round tells of the logarithms of tokens and of passes: inverse variances. */
export function informationOf({ noise, passShare, tasks }: Runs): {
  readonly ofTokens: number;
  readonly ofPasses: number;
} {
  return {
    ofTokens: tasks / (2 * Math.max(minNoise, noise) ** 2),
    ofPasses: (tasks * passShare) / (2 * Math.max(0.01, 1 - passShare)),
  };
}

/**
 * Where a sum of known variance must be, if one divided by its own estimated deviation must pass `bound`: Wallace's
 * approximation (1959) of the critical t, and the usual one of its distribution around an effect.
 */
function asDeviate(bound: number, freedom: number): number {
  if (freedom < 1) return Infinity;
  const exponent = ((bound * (8 * freedom + 3)) / (8 * freedom + 1)) ** 2 / freedom;
  const critical = Math.sqrt(freedom * Math.expm1(exponent));
  return critical * Math.max(0, 1 - 1 / (4 * freedom));
}

/**
 * The chance that the failures of a change with equal passes are shown to be worth its saving, once its tokens are shown.
 * These save at least what their boundary needs then.
 */
function shownOfFailures(
  look: number,
  { share, noise, tasks, passShare }: Runs & { readonly share: number },
  question: Asked["question"],
): number {
  const { alpha, maxRounds, plannedRounds = maxRounds, passMargin = usualMargin } = question;
  const runs = tasks * look;
  if (runs === 0) return 0;
  const ofTokens = (Math.max(minNoise, noise) * Math.SQRT2) / Math.sqrt(runs);
  const ofPasses = Math.sqrt((2 * (1 - passShare)) / Math.max(passShare * runs, minNoise));
  const shown = Math.max(-Math.log(1 - share), patientBoundaries(alpha, plannedRounds).at(look) * ofTokens);
  const boundary = (error: number) => failureBoundary(question, error, look);
  const room = Math.max(
    passMargin / 2 / passShare - boundary(errorOfPasses) * ofPasses,
    shown - boundary(errorOfCompleted) * Math.hypot(ofTokens, ofPasses),
  );
  return ofPasses === 0 ? Number(room >= 0) : normalCdf(room / ofPasses);
}
