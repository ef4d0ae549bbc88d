import { normalCdf, normalDensity } from "../../verdict/statistics.ts";
import { adjustOutcomes, robustScale, tamedWeight, type Outcome } from "./adjust.ts";
import type { TriedSession } from "./analyse.ts";
import { smallestChance, usualHoldOut } from "./pace.ts";

/** What is believed of a rule from the sessions so far. */
export interface Belief {
  readonly ruleId: string;
  /** Probability that a session takes fewer tokens with it. */
  readonly saves: number;
  /** Expected saved share of a session's tokens. */
  readonly expected: number;
}

/**
 * Standard deviations of rules' effects on log tokens before any evidence. Rules harm as easily as they help, so the mean is 0. Few rules
 * have an effect on the number and length of prompts: `countShare` of them.
 */
const prior = { prompt: 0.1, count: 0.2, countShare: 0.1 };
/** Sessions after which an effect is a third of what it was, as far as nothing new is known: models, rules and work change. */
const memory = 1500;
/** Standard deviation of the level's drift over 100 sessions. Log tokens. */
const drift = 0.05;
/** Standard deviation of the first level. It is 0 in the mean of all sessions. */
const firstLevel = 0.3;
/** Few residuals may agree by chance; their weights assume a scale of 1. */
const minScale = 0.3;

/**
 * Computes what is believed of each rule. An effect on a session is that on a prompt, and that on the number and length of prompts. The
 * second is noisy and rare: a mixture of none and some (a spike and a slab) keeps its noise out of the first, and gives way once
 * prompts become more.
 */
export function believe(sessions: readonly TriedSession[], ruleIds: readonly string[]): Belief[] {
  const seen = sessions.filter(({ completed }) => completed > 0);
  const counts = seen.map((each) => ({
    ...each,
    completed: 1,
    meanLog: each.logTotal - each.meanLog,
    squares: 0,
  }));
  const ofCounts = filtered(counts, ruleIds, prior.count);
  return filtered(seen, ruleIds, prior.prompt).map((prompt, place): Belief => {
    const count = ofCounts[place] ?? { mean: 0, deviation: prior.count };
    const some = shareOfSlab(count);
    const both = (prompt.mean + count.mean) / Math.hypot(prompt.deviation, count.deviation);
    return {
      ruleId: ruleIds[place] ?? "",
      saves: (1 - some) * normalCdf(prompt.mean / prompt.deviation) + some * normalCdf(both),
      expected: -Math.expm1(-(prompt.mean + some * count.mean)),
    };
  });
}

/** A rule with a smaller probability to save is reported as harmful, and is evicted where its owner agreed to that. */
const harmfulBelow = 0.03;

export function isHarmful({ saves }: Pick<Belief, "saves">): boolean {
  return saves < harmfulBelow;
}

/** Chance that a new session gets a rule: the probability that it saves, within bounds (Thompson 1933). */
export function chanceOf({ saves }: Pick<Belief, "saves">, holdOut = usualHoldOut): number {
  return Math.max(smallestChance, Math.min(1 - holdOut, saves));
}

interface Normal {
  readonly mean: number;
  readonly deviation: number;
}

/** Posterior probability of the slab, by the ratio of densities at no effect (Savage and Dickey). */
function shareOfSlab({ mean, deviation }: Normal): number {
  const none = normalDensity(mean / deviation) / deviation / (normalDensity(0) / prior.count);
  return prior.countShare / (prior.countShare + (1 - prior.countShare) * none);
}

/**
 * Savings of log tokens of all rules, by a Kalman filter over the sessions in their order: a dynamic linear model (West and Harrison
 * 1997) with a level that drifts, and effects that return to 0 slowly. So a level that rises while nearly all sessions have a rule makes
 * it doubtful, more even draws follow, and these tell. An outlier session counts less. This decides about draws only: what is said to
 * save rests on the draws' own chances.
 */
function filtered(
  sessions: readonly (Outcome & Pick<TriedSession, "given" | "chances">)[],
  ruleIds: readonly string[],
  deviation: number,
): Normal[] {
  const size = ruleIds.length + 1;
  const means = new Float64Array(size);
  const covariance = Array.from({ length: size }, () => new Float64Array(size));
  const [level, ...effects] = covariance;
  if (level !== undefined) level[0] = firstLevel ** 2;
  for (const [place, line] of effects.entries()) line[place + 1] = deviation ** 2;
  if (sessions.length > 1) {
    const { residuals, weights } = adjustOutcomes(sessions);
    const scale = Math.max(
      minScale,
      robustScale(residuals.map((residual, index) => residual * Math.sqrt(weights[index] ?? 0))),
    );
    for (const [index, { given, chances }] of sessions.entries()) {
      const row = [1, ...ruleIds.map((id) => (chances.has(id) && given.has(id) ? -1 : 0))];
      age(means, covariance, deviation);
      const noise = scale ** 2 / (weights[index] ?? 1);
      update({ means, covariance }, { row, value: residuals[index] ?? 0, noise });
    }
  }
  return ruleIds.map((_, place) => ({
    mean: means[place + 1] ?? 0,
    deviation: Math.sqrt(covariance[place + 1]?.[place + 1] ?? deviation ** 2),
  }));
}

/** Makes what is known older by one session. */
function age(means: Float64Array, covariance: readonly Float64Array[], deviation: number): void {
  const kept = Math.exp(-1 / memory);
  for (const [one, line] of covariance.entries()) {
    for (const [other, value] of line.entries())
      line[other] = value * (one === 0 ? 1 : kept) * (other === 0 ? 1 : kept);
    line[one] = (line[one] ?? 0) + (one === 0 ? drift ** 2 / 100 : deviation ** 2 * (1 - kept ** 2));
    if (one > 0) means[one] = (means[one] ?? 0) * kept;
  }
}

interface Observation {
  readonly row: readonly number[];
  readonly value: number;
  readonly noise: number;
}

function update(
  { means, covariance }: { readonly means: Float64Array; readonly covariance: readonly Float64Array[] },
  { row, value, noise }: Observation,
): void {
  const gains = covariance.map((line) =>
    row.reduce((sum, factor, place) => sum + factor * (line[place] ?? 0), 0),
  );
  const inner = row.reduce((sum, factor, place) => sum + factor * (gains[place] ?? 0), 0);
  const surprise = value - row.reduce((sum, factor, place) => sum + factor * (means[place] ?? 0), 0);
  const trust = Math.max(leastTrust, tamedWeight(surprise / Math.sqrt(inner + noise)));
  const total = inner + noise / trust;
  for (const [one, line] of covariance.entries()) {
    const gain = gains[one] ?? 0;
    means[one] = (means[one] ?? 0) + (gain * surprise) / total;
    for (const [other, known] of line.entries()) line[other] = known - (gain * (gains[other] ?? 0)) / total;
  }
}

/** Of an outlier session: its variance counts up to a thousandfold. */
const leastTrust = 0.001;
