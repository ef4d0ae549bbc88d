import { groupBy } from "../../base/numbers.ts";
import { contrastsOf, type Contrast } from "./contrasts.ts";
import { countOf, meanOfPairs, sumOf, type TaskEvidence } from "./pairs.ts";
import { robustFit, tame } from "./robust-fit.ts";

/**
 * Evidence of runs about tokens saved. Costs of runs are heavy-tailed, differ between tasks by a multiple, and have an
 * unknown distribution, so no distribution is assumed. Within a round of a task, a seeded draw decided which run had
 * the change. If the change did nothing, then, given the costs, only the sign of each contrast (`contrasts.ts`) is
 * random, like a fair coin. A weighted sum of such signs, divided by the root of the sum of their squared weights, has
 * mean 0 and variance 1 whatever the costs were (Efron 1969; de la Peña 1999). That sum is compared after each round
 * with `boundaries.ts`.
 *
 * Contrasts are logarithms, so that each task contributes a share of its own tokens, whatever its size. Residuals are
 * bounded (`robust-fit.ts`), so that one run gone astray counts once, not a hundred times. If other rules differ within
 * a round too, their effects are estimated from the same contrasts and subtracted: one run is evidence about many
 * rules. The sum is then reduced by the share of the contrasts used up for that.
 *
 * If a round has several runs of the unchanged side, its contrasts form one term. Its mean is also zero if the change
 * does nothing, but more than its sign is random: how well the boundaries hold is measured (`npm run bench --
 * verdicts-lives`).
 */
export interface LogSaving {
  /** Rounds of tasks that remain after other rules' effects are estimated. */
  readonly count: number;
  /** Tasks completed on both sides in some round. */
  readonly tasks: number;
  /** Weighted mean tokens of paired runs without the change. */
  readonly meanBefore: number;
  /** Weighted mean tokens saved, without bounding residuals: heavy tails included. */
  readonly meanSaved: number;
  /** The share of a run's tokens saved, over the tasks, with as much evidence above it as below. */
  readonly share: number;
  /** The standardized sum: the evidence for saving more than this share. Falls as the share rises. */
  evidence(share: number): number;
  /** Returns the range of shares against which the runs show no more evidence than `boundary`. */
  interval(boundary: number): { readonly low: number; readonly high: number };
}

/** Limit for the logarithm of before / after: no more than a hundred times cheaper or dearer is ever reported. */
const farthest = Math.log(100);
/** Weight of the assumption that a change does the same in each task, in degrees of freedom. */
const priorSpread = 8;
const rounding = 1e-6;
/** Precision of exponents. */
const precision = 1e-10;

export function logSaving(tasks: readonly Pick<TaskEvidence, "pairs" | "singles" | "weight">[]): LogSaving {
  const withPairs = tasks.filter(({ pairs }) => pairs.length > 0);
  const contrasts = contrastsOf(withPairs);
  const others = otherRules(contrasts);
  const scored = new Scored(contrasts, others);
  const weights = withPairs.map(({ weight, pairs }) => weight * countOf(pairs));
  const where = (level: number) => scored.exponentAt(level);
  return {
    count: Math.max(0, scored.blocks - others.length),
    tasks: withPairs.length,
    meanBefore: weightedMean(
      withPairs.map(({ pairs }) => meanOfPairs(pairs, ({ before }) => before)),
      weights,
    ),
    meanSaved: weightedMean(
      withPairs.map(({ pairs }) => meanOfPairs(pairs, ({ before, after }) => before - after)),
      weights,
    ),
    // Takes many steps, and is not needed at most looks.
    get share() {
      return toShare(where(0));
    },
    evidence: (share) => scored.evidence(toExponent(share)),
    interval: (boundary) => ({ low: toShare(where(boundary)), high: toShare(where(-boundary)) }),
  };
}

function otherRules(contrasts: readonly Contrast[]): string[] {
  const found = new Set<string>();
  for (const { others } of contrasts) for (const rule of others.keys()) found.add(rule);
  return [...found].sort();
}

/** Contrasts without the effects of other rules. */
class Scored {
  readonly blocks: number;
  /** Contrasts of a block are adjacent. */
  readonly #blockOf: Int32Array;
  readonly #residuals: Float64Array;
  /** Square roots of the contrasts' precisions. */
  readonly #roots: Float64Array;
  /** The contrasts' weights, times these roots. */
  readonly #pulls: Float64Array;
  readonly #effect: number;
  readonly #scale: number;
  /** Independent terms: blocks of contrasts of equal weight, minus those used up for other rules. */
  readonly #terms: number;
  readonly #shortened: number;
  readonly #spread: number;

  constructor(contrasts: readonly Contrast[], others: readonly string[]) {
    const columns = 1 + others.length;
    const rows = contrasts.map(({ value, precision, weight, others: own }) => ({
      value,
      columns: [1, ...others.map((rule) => own.get(rule) ?? 0)],
      precision,
      weight,
    }));
    const { coefficients, residuals, scale } = robustFit(rows, columns);
    this.#effect = coefficients[0] ?? 0;
    this.#scale = scale;
    this.#residuals = residuals;
    this.#blockOf = new Int32Array(contrasts.map(({ block }) => block));
    this.#roots = new Float64Array(contrasts.map(({ precision }) => Math.sqrt(precision)));
    this.#pulls = this.#roots.map((root, index) => (contrasts[index]?.weight ?? 0) * root);
    const shares = sharesOfBlocks(contrasts);
    const equal = shares.length === 0 ? 0 : sumOf(shares) ** 2 / sumOf(shares.map((share) => share * share));
    this.blocks = shares.length;
    this.#terms = Math.max(0, equal - others.length);
    this.#shortened = equal === 0 ? 0 : Math.sqrt(this.#terms / equal);
    this.#spread = this.#spreadOfTasks(contrasts, rows);
  }

  /**
   * How much wider the effects of rules are spread over tasks than noise explains: 1 if not at all. What is measured
   * stands for the user's other work, so the spread between tasks belongs to the noise (Birge 1932). One rule in few
   * tasks tells little of it, so all rules of the runs are taken together, with the assumption of no spread.
   */
  #spreadOfTasks(
    contrasts: readonly Contrast[],
    rows: readonly { readonly columns: readonly number[] }[],
  ): number {
    let [found, expected] = [priorSpread, priorSpread];
    for (let column = 0; column < (rows[0]?.columns.length ?? 0); column += 1) {
      const terms = new Map<number, { readonly task: number; term: number }>();
      for (const [index, { block, task }] of contrasts.entries()) {
        const residual = this.#residuals[index] ?? 0;
        // What rounding leaves of equal runs has a sign, and means nothing.
        if (Math.abs(residual) <= rounding) continue;
        const sign = rows[index]?.columns[column] ?? 0;
        const term = sign * (this.#pulls[index] ?? 0) * tame(residual, this.#scale);
        const own = terms.get(block);
        if (own === undefined) terms.set(block, { task, term });
        else own.term += term;
      }
      const tasks = [...groupBy([...terms.values()], ({ task }) => task).values()].flatMap((own) => {
        const squares = sumOf(own.map(({ term }) => term * term));
        return squares > 0 ? [sumOf(own.map(({ term }) => term)) ** 2 / squares] : [];
      });
      if (tasks.length < 2) continue;
      found += sumOf(tasks);
      expected += tasks.length - 1;
    }
    return Math.sqrt(Math.max(1, found / expected));
  }

  evidence(exponent: number): number {
    let [sum, squares, last, term] = [0, 0, -1, 0];
    const [away, scale, residuals, roots] = [
      this.#effect - exponent,
      this.#scale,
      this.#residuals,
      this.#roots,
    ];
    for (let index = 0; index < residuals.length; index += 1) {
      const block = this.#blockOf[index] ?? 0;
      const residual = (residuals[index] ?? 0) + (roots[index] ?? 0) * away;
      const tamed = (this.#pulls[index] ?? 0) * tame(residual, scale);
      if (block !== last) {
        squares += term * term;
        last = block;
        term = 0;
      }
      term += tamed;
      sum += tamed;
    }
    squares += term * term;
    if (squares <= 0) return 0;
    return asNormal((sum / Math.sqrt(squares)) * this.#shortened, this.#terms) / this.#spread;
  }

  /** Returns the exponent at which the evidence is `level`, within the reported range. */
  exponentAt(level: number): number {
    const above = (exponent: number) => this.evidence(exponent) - level;
    let [low, high] = [-farthest, farthest];
    let [atLow, atHigh] = [above(low), above(high)];
    if (atLow <= 0) return low;
    if (atHigh >= 0) return high;
    // The Illinois method: false position that halves the weight of an end that stays, so that both ends close in.
    let stays = 0;
    for (let step = 0; step < 80 && high - low > precision; step += 1) {
      const guess = high - (atHigh * (high - low)) / (atHigh - atLow);
      const middle = Math.min(high - precision / 4, Math.max(low + precision / 4, guess));
      const found = above(middle);
      if (found > 0) {
        [low, atLow] = [middle, found];
        if (stays === 1) atHigh /= 2;
        stays = 1;
      } else {
        [high, atHigh] = [middle, found];
        if (stays === -1) atLow /= 2;
        stays = -1;
      }
    }
    return (low + high) / 2;
  }
}

function sharesOfBlocks(contrasts: readonly Contrast[]): number[] {
  const shares: number[] = [];
  let last = -1;
  for (const { block, information } of contrasts) {
    const before = block === last ? (shares.pop() ?? 0) : 0;
    shares.push(before + information);
    last = block;
  }
  return shares;
}

/**
 * Converts a sum that is standardized by its own squares to a normal deviate. It is Student's t in another form, with
 * squares about its mean, and uses Wallace's approximation (1959) of the normal deviate of the same tail. Without it, a
 * large effect would be its own noise.
 * @param count independent terms
 */
function asNormal(sum: number, count: number): number {
  const freedom = count - 1;
  if (freedom <= 0) return 0;
  const share = Math.min(maxShare, (sum * sum) / count);
  return Math.sign(sum) * ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(-freedom * Math.log(1 - share));
}

/** Maximum share of its bound for a standardized sum: terms that are all the same have no noise. */
const maxShare = 1 - 1e-9;

/** Converts an exponent, the logarithm of before / after, to the share saved: one minus after / before. */
function toShare(exponent: number): number {
  return exponent === 0 ? 0 : 1 - Math.exp(-exponent);
}

function toExponent(share: number): number {
  const exponent = share < 1 ? -Math.log(1 - share) : farthest;
  return Math.min(farthest, Math.max(-farthest, exponent));
}

function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return 0;
  return values.reduce((sum, value, index) => sum + value * ((weights[index] ?? 0) / whole), 0);
}
