import { median } from "../../base/numbers.ts";
import { Ridge } from "../../verdict/statistics.ts";

/** Robust scales at which a value has half of its weight. Chosen with `npm run bench -- trials`. */
const halfWeight = 2.8;

/**
 * Redescending influence function of a robust fit: the standardized value itself within two robust scales,
 * and falling beyond three. Bounds the influence of outlier sessions.
 */
export function tamed(value: number): number {
  return value * tamedWeight(value);
}

/** The weight at which a plain fit treats a standardized value as the tamed one does. Never 0. */
export function tamedWeight(value: number): number {
  const square = (value / halfWeight) ** 2;
  return 1 / (1 + square * square * square);
}

/** The standard deviation of normal values with this median of absolute values. */
export function robustScale(values: readonly number[]): number {
  return 1.4826 * median(values.map(Math.abs));
}

interface KnownBefore {
  /** Program and project. */
  readonly place: string;
  readonly branchKind: string;
  /** Characters of the first prompt, which do not depend on a draw. Null if unknown. */
  readonly promptChars: number | null;
  /** Local hour; null where unknown. */
  readonly hour: number | null;
}

/** A session's completed prompts. Logarithms are natural, of processing tokens. */
export interface Outcome {
  readonly known: KnownBefore;
  readonly completed: number;
  readonly meanLog: number;
  /** Sum of squared deviations from the mean. */
  readonly squares: number;
}

export interface Adjusted {
  /** Each session's mean log tokens, less the regression's part. */
  readonly residuals: readonly number[];
  /** The inverse of each residual's variance. */
  readonly weights: readonly number[];
  /** Another column, less the same regression's part. */
  readonly adjust: (column: readonly number[]) => number[];
}

/**
 * Removes from sessions' outcomes what was known before the draw, by a robust regression without the draws
 * (Freedman and Lane 1983). So a comparison of sessions by their draws stays unbiased. Levels are shrunk
 * towards their mean, so that a project with few sessions has little influence. A session of many prompts
 * counts more, as far as prompts vary more than sessions do.
 */
export function adjustOutcomes(outcomes: readonly Outcome[]): Adjusted {
  const { rows, penalties } = designOf(outcomes.map(({ known }) => known));
  const means = outcomes.map(({ meanLog }) => meanLog);
  const within = promptVariance(outcomes);
  const ofPrompts = outcomes.map(({ completed }) => within / completed);
  const usualOfPrompts = median(ofPrompts);
  let between = usual.between;
  let tameness = outcomes.map(() => 1);
  let weights = inverse(ofPrompts, between);
  let ridge = new Ridge({ rows, weights: times(weights, tameness), penalties: scaled(penalties, weights) });
  let residuals = ridge.residuals(means);
  for (let step = 0; step < steps; step += 1) {
    between = Math.max(minBetween, robustScale(residuals) ** 2 - usualOfPrompts);
    weights = inverse(ofPrompts, between);
    const standard = residuals.map((residual, index) => residual * Math.sqrt(weights[index] ?? 0));
    const scale = robustScale(standard) || 1;
    tameness = standard.map((value) => tamedWeight(value / scale));
    ridge = new Ridge({ rows, weights: times(weights, tameness), penalties: scaled(penalties, weights) });
    residuals = ridge.residuals(means);
  }
  return { residuals, weights, adjust: (column) => ridge.residuals(column) };
}

/** Steps of the robust regression. It changes little after two. */
const steps = 3;
/** Default variances of log tokens between sessions and between prompts, until sessions give their own. */
const usual = { between: 0.06, prompts: 0.8, degrees: 20 };
const minBetween = 0.01;

function promptVariance(outcomes: readonly Outcome[]): number {
  let [sum, degrees] = [usual.prompts * usual.degrees, usual.degrees];
  for (const { squares, completed } of outcomes) {
    sum += squares;
    degrees += completed - 1;
  }
  return sum / degrees;
}

function inverse(ofPrompts: readonly number[], between: number): number[] {
  return ofPrompts.map((variance) => 1 / (between + variance));
}

function times(weights: readonly number[], factors: readonly number[]): number[] {
  return weights.map((weight, index) => weight * (factors[index] ?? 0));
}

/** Penalties in units of the mean weight of a session. */
function scaled(penalties: readonly number[], weights: readonly number[]): number[] {
  const unit = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return penalties.map((penalty) => penalty * unit);
}

/** Maximum levels of a factor. The rarer ones are merged into one level. */
const maxLevels = 12;

function designOf(known: readonly KnownBefore[]): { rows: number[][]; penalties: number[] } {
  const factors = [
    known.map(({ place }) => place),
    known.map(({ branchKind }) => branchKind),
    known.map(({ hour }) => (hour === null ? "unknown" : String(Math.floor(hour / 6)))),
  ];
  const columns = factors.flatMap(levelColumns);
  const lengths = known.map(({ promptChars }) => (promptChars === null ? null : Math.log(1 + promptChars)));
  const given = lengths.filter((length) => length !== null);
  const [center, spread] = [median(given), robustScale(given.map((length) => length - median(given))) || 1];
  columns.push(
    // Bounded: one pasted file must not turn the slope.
    lengths.map((length) => (length === null ? 0 : Math.max(-3, Math.min(3, (length - center) / spread)))),
  );
  const rows = known.map((_, index) => [1, ...columns.map((column) => column[index] ?? 0)]);
  return { rows, penalties: [0, ...columns.map(() => 1)] };
}

function levelColumns(levels: readonly string[]): number[][] {
  const counts = new Map<string, number>();
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1);
  if (counts.size < 2) return [];
  const common = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, maxLevels);
  return common.map(([level]) => levels.map((each) => Number(each === level)));
}
