import type { Counters } from "./api-response.ts";
import type { PriceTerms } from "./price-terms.ts";
import type { TokenUsage } from "./token-counts.ts";

/** Usage of one response, or of several if the agent reports only those, as in the agent's file. */
export interface UsageRecord {
  /** The name of its adapter, such as "codex". */
  readonly agent: string;
  /** Empty if neither the file's content nor its name has it. */
  readonly sessionId: string;
  readonly cwd: string | null;
  /** The agent's own id of the model, or null if it has none. */
  readonly model: string | null;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
  /** The API's id of the response, or null if the agent does not store it, or counts several together. */
  readonly responseId: string | null;
  /** Normalised: the five kinds are disjoint, and reasoning is output. */
  readonly usage: TokenUsage;
  /** The terms behind its price besides its tokens; absent for the standard terms. */
  readonly terms?: PriceTerms | undefined;
  /** The numbers the agent reported, by its own names: the response's, or the cumulative total it was derived from. */
  readonly raw: Counters;
  /** Context window of the model in tokens, as the agent itself reported it, or null. */
  readonly window: number | null;
  /** A copy of another session's usage: a fork's or a subagent's file repeats its parent's history. */
  readonly isReplay: boolean;
  /**
   * Records with the same key, in whatever files, are the same. A replay without a key is a copy of an unknown original.
   */
  readonly key: string | null;
}

/**
 * Returns each record once, however many files have it. Of several with one key, the first that is not a replay wins,
 * else the first: if the original is gone, its copy still has the usage.
 */
export function countOnce<Item extends UsageRecord>(records: Iterable<Item>): Item[] {
  const kept: Item[] = [];
  const indexes = new Map<string, number>();
  for (const record of records) {
    if (record.key === null) {
      if (!record.isReplay) kept.push(record);
      continue;
    }
    const index = indexes.get(record.key);
    if (index === undefined) indexes.set(record.key, kept.push(record) - 1);
    else if (kept[index]?.isReplay === true && !record.isReplay) kept[index] = record;
  }
  return kept;
}
