import { wholeNumber } from "../base/text/format.ts";
import { nearestRank, quantileInterval } from "./quantile-interval.ts";

/** What a call is expected to use, and how well that is known. Processing tokens. */
export interface Projection {
  readonly tokens: number;
  /**
   * Where it is from: the agent's earlier runs, a documented default where there are too few, its caller, the context that the next
   * call carries, or nowhere.
   */
  readonly basis: "history" | "default" | "given" | "context" | "unknown";
  /** In a few plain words, for a tooltip. */
  readonly source: string;
  /** Runs it was learned from. */
  readonly runs: number;
  /** The quantile is between these in 95 of 100 cases; null where the runs are too few to tell. */
  readonly low: number | null;
  readonly high: number | null;
  /** Of the last runs, how many took no more than would have been projected before them; null where none could be. */
  readonly held: { readonly runs: number; readonly of: number } | null;
}

/** The user's own history, as a port: the ledger fills it. */
export interface RunHistory {
  /**
   * Processing tokens of the last completed runs of real work, the newest first; 50 are enough. Of any model when it is
   * null. Benchmark runs, and runs that did not complete, are no measure of work.
   */
  recentTokens(asked: {
    readonly agentId: string;
    readonly model: string | null;
  }): Promise<readonly number[]>;
}

export const noHistory: RunHistory = { recentTokens: () => Promise.resolve([]) };

/** High: a projection that is too low lets a limit be passed, one that is too high stops a little early. */
const highShare = 0.9;
/** Older runs say little of how the agent works now; fewer than the least say nothing. */
const [newestRuns, fewestRuns] = [50, 5];
/**
 * Where there is no history: a fifth of an agent's default budget, so that a new agent has some runs before it is stopped. It is
 * nobody's measurement. Processing tokens.
 */
export const defaultProjection = 20_000;

/** What the next run of an agent will use: the 90th percentile of its last 50, by model where there are enough. */
export async function projectRun(
  { agentId, model }: { readonly agentId: string; readonly model: string | null },
  history: RunHistory,
): Promise<Projection> {
  const ofModel = model === null ? [] : await history.recentTokens({ agentId, model });
  if (model !== null && ofModel.length >= fewestRuns)
    return projectFrom(ofModel, `of ${agentId} with ${model}`);
  const ofAgent = await history.recentTokens({ agentId, model: null });
  if (ofAgent.length >= fewestRuns) return projectFrom(ofAgent, `of ${agentId} with any model`);
  const source = `no history: fewer than ${fewestRuns} completed runs of ${agentId}, so the default is taken`;
  return { ...unknownError, tokens: defaultProjection, basis: "default", source, runs: ofAgent.length };
}

/** Of a caller who knows better. @param tokens whole, at least 1 */
export function givenProjection(tokens: number): Projection {
  return { ...unknownError, tokens, basis: "given", source: "told by the caller", runs: 0 };
}

/** Of a call under way, from what its context is: see `nextCallTokens`. @param tokens of so many calls like the next one */
export function contextProjection(tokens: number, source: string): Projection {
  return { ...unknownError, tokens: atLeastOne(tokens), basis: "context", source, runs: 0 };
}

/** A call of which nothing is known is allowed as long as there is a token left. */
export const unknownProjection: Projection = {
  low: null,
  high: null,
  held: null,
  tokens: 1,
  basis: "unknown",
  source: "nothing is known of this call",
  runs: 0,
};

/** @param recent the newest first, `fewestRuns` at least */
export function projectFrom(recent: readonly number[], whose: string): Projection {
  const newest = recent.slice(0, newestRuns);
  const sorted = ascending(newest);
  const tokens = atLeastOne(nearestRank(sorted, highShare));
  const { low, high } = quantileInterval(sorted, highShare);
  const bounds = `${low === null ? "?" : wholeNumber(low)} to ${high === null ? "?" : wholeNumber(high)}`;
  const held = lookBack(newest);
  const kept = held === null ? "" : `, enough for ${held.runs} of ${held.of} runs so far`;
  const source = `90th percentile of the last ${sorted.length} completed runs ${whose} (95 % interval ${bounds}${kept})`;
  return { tokens, basis: "history", source, runs: sorted.length, low, high, held };
}

/** Projects each run from those before it, and sees whether that held: the error as it was. */
function lookBack(newest: readonly number[]): Projection["held"] {
  const judged = newest.slice(0, Math.max(0, newest.length - fewestRuns));
  const held = judged.filter((tokens, index) => {
    return tokens <= nearestRank(ascending(newest.slice(index + 1)), highShare);
  });
  return judged.length === 0 ? null : { runs: held.length, of: judged.length };
}

const unknownError = { low: null, high: null, held: null } as const;

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}

/** A call that uses nothing does not exist. */
function atLeastOne(tokens: number): number {
  return Math.max(1, Math.ceil(tokens));
}
