import { hopeless, usualMargin } from "../judge-once.ts";
import { fewestContrasts, usualWorth } from "../judge-limits.ts";
import { patientBoundaries, patientSpending } from "../statistics/boundaries.ts";
import { singlePrecision } from "../statistics/contrasts.ts";
import { crossedAbove } from "../statistics/crossing.ts";
import { normalCdf, normalUpperQuantile } from "../statistics/normal.ts";
import { newcombe } from "../statistics/pass-rate.ts";
import type { Question } from "../verdict.ts";

/** What runs of an agent are like, as far as it decides how soon a question about them is answered. */
export interface Runs {
  /** Standard deviation of the logarithm of the tokens of runs of one task and configuration. */
  readonly noise: number;
  /** Share of runs that pass, from 0 to 1. Only completed runs say something about tokens. */
  readonly passShare: number;
  /** Tasks of equal weight that say as much as the agent's tasks. */
  readonly tasks: number;
}

export interface Asked {
  /** What its bar asks for, as a share of a run's tokens. */
  readonly barShare: number;
  readonly question: Pick<
    Question,
    "kind" | "alpha" | "maxRounds" | "plannedRounds" | "worth" | "passMargin"
  >;
  /** Rules that are measured with the same runs, this one included. */
  readonly together: number;
  /** Rounds to look at: fewer than the question's where less can be paid. All unless given. */
  readonly rounds?: number;
}

/**
 * Returns the chance that a change that truly saves this share is shown to save by each round that is looked at. Follows
 * `judge.ts`: after each round, the sum of log differences is compared with boundaries; a hopeless change is given up. Runs
 * are taken as log-normal and rounds as alike. Rough in two things: passes are taken as equally frequent on both sides and
 * independent of tokens, and no run goes astray.
 */
export function chances(share: number, { noise, passShare, tasks }: Runs, asked: Asked): number[] {
  const { question, together, barShare, rounds = question.maxRounds } = asked;
  const { alpha, kind, maxRounds, plannedRounds = maxRounds, worth = usualWorth } = question;
  const exponent = -Math.log(1 - share);
  const ofRound = contrastsOfRound(tasks, passShare);
  // Standard deviations that one round's evidence moves for each unit of the exponent.
  const slope = Math.sqrt(ofRound) / (Math.max(leastNoise, noise) * Math.SQRT2);
  const boundaries = patientBoundaries(alpha, plannedRounds);
  const looks = Array.from({ length: rounds }, (_, index) => {
    const look = index + 1;
    const root = Math.sqrt(look);
    const freedom = ofRound * look - together;
    const bound = asDeviate(boundaries.at(look), freedom);
    const mean = (against: number) => look * slope * (exponent + Math.log(1 - against));
    const isEnough = ofRound * look - (together - 1) >= fewestContrasts;
    const isLate = 2 * look >= Math.max(plannedRounds, maxRounds);
    const hopelessAt = -hopeless * root - mean(worth);
    // Others than candidates are given up only where as large a cost is as unlikely.
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
    asGood = Math.max(asGood, shownAsGood(index + 1, { tasks, passShare }, question));
    return crossed * asGood;
  });
}

/** Runs that never differ would leave nothing to compare with. */
const leastNoise = 0.01;

/** Pairs that a round's completed runs are worth. A run whose other side failed counts less. */
function contrastsOfRound(tasks: number, passShare: number): number {
  return tasks * (passShare ** 2 + 2 * passShare * (1 - passShare) * singlePrecision);
}

/**
 * How far a sum of known variance must be where one that is divided by its own estimated deviation must pass `bound`:
 * Wallace's approximation (1959) of the critical t, and the usual one of its distribution around an effect.
 */
function asDeviate(bound: number, freedom: number): number {
  if (freedom < 1) return Infinity;
  const exponent = ((bound * (8 * freedom + 3)) / (8 * freedom + 1)) ** 2 / freedom;
  const critical = Math.sqrt(freedom * Math.expm1(exponent));
  return critical * Math.max(0, 1 - 1 / (4 * freedom));
}

/** The chance that a pass rate that is truly the same is shown to be lower by no more than the margin. */
function shownAsGood(
  look: number,
  { tasks, passShare }: Pick<Runs, "tasks" | "passShare">,
  { alpha, maxRounds, plannedRounds = maxRounds, passMargin = usualMargin }: Asked["question"],
): number {
  const runs = tasks * look;
  const counted = { passed: passShare * runs, runs };
  // Passes are first asked about in the round in which a saving is shown: what may be spent by then is spent at once.
  const boundary = normalUpperQuantile(patientSpending(alpha, plannedRounds, Math.max(2, look))(look));
  const shown = newcombe(counted, counted, { boundary, level: 1 - 2 * alpha });
  const deviation = Math.sqrt((2 * passShare * (1 - passShare)) / runs);
  const room = passMargin + (shown?.low ?? -1);
  return deviation === 0 ? Number(room >= 0) : normalCdf(room / deviation);
}
