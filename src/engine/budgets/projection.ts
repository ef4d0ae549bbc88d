import { confidenceLevel, errorOfSide } from "../base/confidence.ts";
import { ascending, nearestRank } from "../base/numbers.ts";
import { sentence, type Sentence } from "../base/language.ts";
import { percent, wholeNumber } from "../base/format.ts";
import { creditsPerUsd, exactUp, type Amounts } from "./amounts.ts";

export { proposeLimit, type Proposal } from "./propose.ts";

/** Bounds of a distribution's quantile, derived only from the ranks of a sample. */
interface QuantileInterval {
  /** Null if the sample is too small for a bound on this side. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns an interval that covers the quantile in at least nine of ten cases, whatever the distribution: how many of n numbers are
 * below the quantile is binomial, so two of their ranks bound it (David and Nagaraja, Order Statistics, section 7.1). It assumes
 * independent numbers from one distribution, which is only nearly true of an agent's runs.
 *
 * @param sorted ascending
 */
export function quantileInterval(sorted: readonly number[], share: number): QuantileInterval {
  const below = cumulativeBinomial(sorted.length, share);
  // P(fewer than `rank` numbers are below the quantile), in which case the number of this rank is above it.
  const isBelow = (rank: number) => (below[rank - 1] ?? 0) <= errorOfSide;
  const isAbove = (rank: number) => 1 - (below[rank - 1] ?? 0) <= errorOfSide;
  const ranks = sorted.map((_, index) => index + 1);
  const lowRank = ranks.findLast(isBelow);
  const highRank = ranks.find(isAbove);
  return {
    low: lowRank === undefined ? null : (sorted[lowRank - 1] ?? null),
    high: highRank === undefined ? null : (sorted[highRank - 1] ?? null),
  };
}

/** P(at most k of n), for k from 0. Exact enough for the few dozen numbers it is used with. */
function cumulativeBinomial(n: number, share: number): number[] {
  const all: number[] = [];
  let [term, total] = [(1 - share) ** n, 0];
  for (let k = 0; k <= n; k += 1) {
    total += term;
    all.push(total);
    term *= ((n - k) / (k + 1)) * (share / (1 - share));
  }
  return all;
}

/** Projected usage of a call and how certain it is. Processing tokens. */
export interface Projection {
  readonly tokens: number;
  /** Price of the call; null if unknown: then the project's average for each token is used. */
  readonly usd: number | null;
  /** AI credits of the call; null if they follow from its price. */
  readonly credits: number | null;
  /**
   * Source of the figure: the agent's earlier runs, a documented default when those are too few, the caller, the context that the
   * next call carries, or none.
   */
  readonly basis: "history" | "default" | "given" | "context" | "unknown";
  /** The source in a few plain words, for a tooltip. */
  readonly source: Sentence;
  readonly runs: number;
  /** Bounds of the quantile at `confidenceLevel`; null if there are too few runs. */
  readonly low: number | null;
  readonly high: number | null;
  /**
   * How many of the last runs took no more than would have been projected before them. Null if none could be
   * projected.
   */
  readonly held: { readonly runs: number; readonly of: number } | null;
}

export interface RunHistory {
  /**
   * Returns processing tokens of the last completed runs of real work, the newest first; 50 are enough. A null model matches any.
   * Excludes benchmark runs and incomplete runs, which do not measure work.
   */
  recentTokens(asked: {
    readonly agentId: string;
    readonly model: string | null;
  }): Promise<readonly number[]>;
}

export const noHistory: RunHistory = { recentTokens: () => Promise.resolve([]) };

/** Deliberately high: a low projection lets a limit be exceeded, a high one only stops a little early. */
const highShare = 0.9;
/** Maximum runs, as older ones do not show how the agent works now; and minimum runs for an estimate. */
const [newestRuns, minRuns] = [50, 5];
/**
 * Used without a history: a fifth of an agent's default budget, so that a new agent gets some runs before it is stopped. Not a
 * measurement. Processing tokens.
 */
export const defaultProjection = 20_000;

/** Projects the next run of an agent: the 90th percentile of its last 50, of the same model if there are enough. */
export async function projectRun(
  { agentId, model }: { readonly agentId: string; readonly model: string | null },
  history: RunHistory,
): Promise<Projection> {
  const ofModel = model === null ? [] : await history.recentTokens({ agentId, model });
  if (model !== null && ofModel.length >= minRuns)
    return projectFrom(ofModel, sentence("of {0} with {1}", agentId, model));
  const ofAgent = await history.recentTokens({ agentId, model: null });
  if (ofAgent.length >= minRuns) return projectFrom(ofAgent, sentence("of {0} with any model", agentId));
  const source = sentence(
    "no history: fewer than {0} completed runs of {1}, so the default is used",
    minRuns,
    agentId,
  );
  return { ...unknownError, tokens: defaultProjection, basis: "default", source, runs: ofAgent.length };
}

export function givenProjection(
  tokens: number,
  prices: Pick<Projection, "usd" | "credits"> = unpriced,
): Projection {
  return {
    ...unknownError,
    ...prices,
    tokens,
    basis: "given",
    source: sentence("given by the caller"),
    runs: 0,
  };
}

export function contextProjection(tokens: number, source: Sentence, usd: number | null = null): Projection {
  return { ...unknownError, usd, tokens: atLeastOne(tokens), basis: "context", source, runs: 0 };
}

/** Projection of an unknown call, which is allowed as long as there is a token left. */
export const unknownProjection: Projection = {
  low: null,
  high: null,
  held: null,
  tokens: 1,
  usd: 1e-6,
  credits: 1e-6,
  basis: "unknown",
  source: sentence("nothing is known of this call"),
  runs: 0,
};

/** @param recent the newest first, at least `minRuns` */
export function projectFrom(recent: readonly number[], whose: Sentence): Projection {
  const newest = recent.slice(0, newestRuns);
  const sorted = ascending(newest);
  const tokens = atLeastOne(nearestRank(sorted, highShare));
  const { low, high } = quantileInterval(sorted, highShare);
  const held = recentHistory(newest);
  const values = {
    count: sorted.length,
    whose,
    level: percent(100 * confidenceLevel),
    low: low === null ? "?" : wholeNumber(low),
    high: high === null ? "?" : wholeNumber(high),
  };
  const source =
    held === null
      ? sentence(
          "90th percentile of the last {count} completed runs {whose} ({level} interval {low} to {high})",
          values,
        )
      : sentence(
          "90th percentile of the last {count} completed runs {whose} ({level} interval {low} to {high}, enough for {held} of {judged} runs so far)",
          { ...values, held: held.runs, judged: held.of },
        );
  return { ...unpriced, tokens, basis: "history", source, runs: sorted.length, low, high, held };
}

/** Backtests: projects each run from those before it, and counts how often that was enough. */
function recentHistory(newest: readonly number[]): Projection["held"] {
  const judged = newest.slice(0, Math.max(0, newest.length - minRuns));
  const held = judged.filter((tokens, index) => {
    return tokens <= nearestRank(ascending(newest.slice(index + 1)), highShare);
  });
  return judged.length === 0 ? null : { runs: held.length, of: judged.length };
}

const unpriced = { usd: null, credits: null } as const;
const unknownError = { ...unpriced, low: null, high: null, held: null } as const;

/** Assumed while no call of the project has a price. About what new tokens of large models cost, with cache reads. USD. */
const defaultUsdPerToken = 10 / 1_000_000;

/** Completes a projection with what its tokens usually cost. @param usdPerToken of the project; null if unknown */
export function projectedAmounts(
  { tokens, usd, credits }: Projection,
  { usdPerToken, isInCredits }: { readonly usdPerToken: number | null; readonly isInCredits: boolean },
): Amounts {
  const price = exactUp(usd ?? tokens * (usdPerToken ?? defaultUsdPerToken));
  const billed = credits ?? (isInCredits ? price * creditsPerUsd : 0);
  return { tokens, usd: price, credits: exactUp(billed), unpriced: 0 };
}

/** Every call uses at least one token. */
function atLeastOne(tokens: number): number {
  return Math.max(1, Math.ceil(tokens));
}
