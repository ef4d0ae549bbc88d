import { median } from "../../base/numbers.ts";
import { contrastsOf } from "../statistics/contrasts.ts";
import { normalCdf, normalDensity } from "../statistics/normal.ts";
import { gatherTasks } from "../statistics/pairs.ts";
import { dot, Ridge, tame } from "../statistics/robust-fit.ts";
import { minContrasts, type RunSample } from "../verdict.ts";

/**
 * What is believed about the saving of a rule after some runs: a normal distribution of its exponent, the logarithm of
 * tokens per completed task without it over those with it. Positive if it saves.
 */
export interface Belief {
  readonly mean: number;
  readonly deviation: number;
  /** What further runs could tell about tokens, and about passes: the variances of what is believed. */
  readonly variances: readonly [tokens: number, passes: number];
  /** The inverse of the variance that one round tells about tokens, and about passes. */
  readonly ofRound: readonly [tokens: number, passes: number];
  /** What was believed without any run. */
  readonly prior: Prior;
}

/** The distribution of the true exponents of a user's rules. */
export interface Prior {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * What is documented before a user has measured any rule: files of context changed what runs cost by -20 to +20 %
 * (arXiv 2602.11988, 2601.20404), as often up as down. It counts as much as this many rules of the user's own.
 */
export const documentedPrior: Prior = { mean: 0, deviation: 0.1 };
const documentedRules = 4;
/** How far rules move the logarithm of the share of passed runs: -3 to +4 points in the same studies. */
const passDeviation = 0.03;
/**
 * The deviation of the difference of two runs' logarithms that is documented, and the number of differences that it
 * counts as much as: so few runs hardly show their own.
 */
const documentedNoise = 0.5;
const documentedContrasts = 8;
const steps = 6;
const learningSteps = 12;

/** One rule's runs, as evidence about its exponent. */
export class RuleRuns {
  readonly #rows: readonly (readonly number[])[];
  readonly #precisions: readonly number[];
  readonly #values: readonly number[];
  readonly #columns: number;
  readonly #passes: Pick<Belief, "mean"> & { readonly variance: number; readonly ofRound: number };
  readonly #rounds: number;
  #fitted: { readonly values: readonly number[]; readonly variance: number };

  constructor(samples: readonly RunSample[]) {
    const tasks = gatherTasks(samples);
    const contrasts = contrastsOf(tasks);
    const others = [...new Set(contrasts.flatMap(({ others: own }) => [...own.keys()]))].sort();
    const weights = contrasts.map(({ weight }) => weight);
    const usual = weights.reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.length);
    this.#columns = 1 + others.length;
    this.#rows = contrasts.map(({ others: own }) => [1, ...others.map((rule) => own.get(rule) ?? 0)]);
    this.#precisions = contrasts.map(({ precision, weight }) => (precision * weight) / usual);
    this.#values = contrasts.map(({ value }) => value);
    this.#rounds = new Set(samples.map(({ round }) => round)).size;
    this.#passes = passesOf(samples, this.#rounds);
    this.#fitted = this.#tamed();
  }

  /** Whether there are more contrasts than rules that differ in them, and enough to know how much runs vary. */
  get isKnown(): boolean {
    return this.#rows.length >= minContrasts && this.#rows.length > this.#columns;
  }

  /** Conjugate: a normal prior of each rule's exponent, and the normal errors of a robust fit. */
  belief(prior: Prior): Belief {
    const { variance } = this.#fitted;
    const { mean, variance: at } = this.tokens(prior);
    const perContrast = this.#precisions.reduce((sum, precision) => sum + precision, 0);
    const passes = this.#passes;
    return {
      mean: mean + passes.mean,
      deviation: Math.sqrt(at + passes.variance),
      variances: [at, passes.variance],
      ofRound: [this.#rounds === 0 ? 0 : perContrast / this.#rounds / variance, passes.ofRound],
      prior: { mean: prior.mean, deviation: Math.hypot(prior.deviation, passDeviation) },
    };
  }

  /** The same of tokens alone. */
  tokens(prior: Prior): { readonly mean: number; readonly variance: number } {
    const { values, variance } = this.#fitted;
    const { mean, variances } = this.#posterior(values, variance, prior);
    return { mean: mean[0] ?? prior.mean, variance: variances[0] ?? prior.deviation ** 2 };
  }

  #posterior(values: readonly number[], variance: number, prior: Prior) {
    const weights = this.#precisions.map((precision) => precision / variance);
    const penalties = new Float64Array(this.#columns).fill(prior.deviation ** -2);
    const ridge = new Ridge({ rows: this.#rows, weights, penalties });
    const centre = this.#rows.map((row) => prior.mean * row.reduce((sum, sign) => sum + sign, 0));
    const mean = ridge
      .fit(values.map((value, index) => value - (centre[index] ?? 0)))
      .map((coefficient) => coefficient + prior.mean);
    return { mean, variances: penalties.map((_, column) => ridge.varianceOf(column)) };
  }

  /**
   * Pseudo-values and the variance of one of them: least squares on them is the M-estimate, with its own error (Huber
   * 1981, 7.6 and 7.10).
   */
  #tamed() {
    const [rows, roots] = [this.#rows, this.#precisions.map((precision) => Math.sqrt(precision))];
    const count = rows.length;
    let [values, variance]: [readonly number[], number] = [this.#values, documentedNoise ** 2];
    for (let step = 0; step < steps && count > 0; step += 1) {
      const { mean, variances } = this.#posterior(values, variance, documentedPrior);
      const fitted = rows.map((row) => dot(row, mean));
      const residuals = fitted.map((fit, index) => (roots[index] ?? 0) * ((this.#values[index] ?? 0) - fit));
      // A coefficient that the prior holds uses up no contrast: the trace of the smoother (Hastie and Tibshirani 1990).
      const used = variances.reduce((sum, one) => sum + 1 - one / documentedPrior.deviation ** 2, 0);
      const freedom = count / Math.max(1, count - used);
      const blended = (own: number) =>
        (documentedContrasts * documentedNoise ** 2 + count * own) / (documentedContrasts + count);
      const scale = Math.sqrt(blended((1.4826 * median(residuals.map(Math.abs))) ** 2 * freedom));
      const tamed = residuals.map((residual) => tame(residual, scale));
      const slopes = tamed.map((one) => 1 - (one / (2 * scale)) ** 2);
      const slope = slopes.reduce((sum, one) => sum + one, 0) / count;
      values = fitted.map((fit, index) => fit + (tamed[index] ?? 0) / (slope * (roots[index] ?? 1)));
      const squares = tamed.reduce((sum, one) => sum + one * one, 0) / count;
      variance = blended((freedom * squares) / slope ** 2);
    }
    return { values, variance };
  }
}

/** The logarithm of the share of passed runs with the rule over that without it, around none. */
function passesOf(samples: readonly RunSample[], rounds: number) {
  const side = (index: 0 | 1) => {
    const runs = samples.filter((sample) => sample.side === index);
    return { runs: runs.length, passed: runs.filter(({ passed }) => passed).length };
  };
  const [before, after] = [side(0), side(1)];
  const prior = passDeviation ** 2;
  if (before.runs === 0 || after.runs === 0) return { mean: 0, variance: prior, ofRound: 0 };
  // A pass and half a failure are added, so that a share is never 0 or 1 (Agresti and Caffo 2000).
  const share = (before.passed + after.passed + 1) / (before.runs + after.runs + 1.5);
  const difference = (after.passed / after.runs - before.passed / before.runs) / share;
  const variance = ((1 - share) / share) * (1 / before.runs + 1 / after.runs);
  const part = prior / (prior + variance);
  return {
    mean: part * difference,
    variance: prior * (1 - part),
    ofRound: 1 / (variance * Math.max(1, rounds)),
  };
}

/**
 * The prior that a user's rules show together: empirical Bayes (Robbins 1956; Efron and Morris 1973) by expectation and
 * maximization, in which the documented prior counts as some rules.
 */
export function learnPrior(rules: readonly RuleRuns[]): Prior {
  let prior = documentedPrior;
  for (let step = 0; step < learningSteps; step += 1) {
    const found = rules.map((rule) => rule.tokens(prior));
    const count = documentedRules + found.length;
    const mean =
      (documentedRules * documentedPrior.mean + found.reduce((sum, one) => sum + one.mean, 0)) / count;
    const squares = found.reduce((sum, one) => sum + (one.mean - mean) ** 2 + one.variance, 0);
    const documented = documentedPrior.deviation ** 2 + (documentedPrior.mean - mean) ** 2;
    prior = { mean, deviation: Math.sqrt((documentedRules * documented + squares) / count) };
  }
  return prior;
}

/** What is believed of a rule without any run. @param ofRound inverse variances of what a round tells */
export function priorBelief(ofRound: Belief["ofRound"]): Belief {
  const variances = [documentedPrior.deviation ** 2, passDeviation ** 2] as const;
  const deviation = Math.hypot(documentedPrior.deviation, passDeviation);
  const prior = { mean: documentedPrior.mean, deviation };
  return { ...prior, variances, ofRound, prior };
}

/** The expected share of tokens that remain with the rule: of a log-normal distribution. */
export function expectedLeft({ mean, deviation }: Pick<Belief, "mean" | "deviation">): number {
  return Math.exp(-mean + deviation ** 2 / 2);
}

/** The chance that the rule saves less than this share of tokens. */
export function chanceBelow(share: number, { mean, deviation }: Pick<Belief, "mean" | "deviation">): number {
  return normalCdf((-Math.log(1 - share) - mean) / Math.max(1e-9, deviation));
}

/** Share of rules that do nothing at all, before any is measured. */
const idleShare = 0.5;

/**
 * The chance that a rule saves less than this share, if some rules do nothing at all: two groups, as for the local false
 * discovery rate (Efron 2008). How much likelier the runs are if it does nothing is the density of what is believed at
 * none over that of the prior (Dickey 1971).
 */
export function chanceOfNothing(share: number, belief: Belief): number {
  const idle = densityAtNone(belief) / densityAtNone(belief.prior);
  const chance = (idleShare * idle) / (idleShare * idle + 1 - idleShare);
  return chance + (1 - chance) * chanceBelow(share, belief);
}

function densityAtNone({ mean, deviation }: Prior): number {
  return normalDensity(mean / deviation) / deviation;
}
