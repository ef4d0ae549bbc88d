import type { Counters } from "./cumulative.ts";
import type { TokenUsage } from "./token-counts.ts";

/** What one response used, or several where the agent tells no more, as the agent's file tells it. */
export interface UsageRecord {
  /** The name of its adapter, such as "codex". */
  readonly agent: string;
  /** Empty where neither the file's content nor its name tells. */
  readonly sessionId: string;
  readonly cwd: string | null;
  /** The model's id as the agent names it, or null where it does not. */
  readonly model: string | null;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
  /** The API's id of the response, or null where the agent does not tell, or counts several together. */
  readonly responseId: string | null;
  /** Normalised: the five kinds are disjoint, and reasoning is output. */
  readonly usage: TokenUsage;
  /** The numbers the agent reported, by its own names: the response's, or the cumulative total it was derived from. */
  readonly raw: Counters;
  /** Tokens the model's context may hold, as the agent itself said, or null. */
  readonly window: number | null;
  /** A copy of what another session used: a fork's or a subagent's file repeats its parent's history. */
  readonly isReplay: boolean;
  /** Records of one key, in whatever file, are one. A replay without a key is a copy of something, nobody knows of what. */
  readonly key: string | null;
}

/**
 * Each record once, however many files hold it. Of several with one key the first that is no replay is kept, else the
 * first: where the original is gone, its copy still tells what was used.
 */
export function countOnce<Item extends UsageRecord>(records: Iterable<Item>): Item[] {
  const kept: Item[] = [];
  const places = new Map<string, number>();
  for (const record of records) {
    if (record.key === null) {
      if (!record.isReplay) kept.push(record);
      continue;
    }
    const place = places.get(record.key);
    if (place === undefined) places.set(record.key, kept.push(record) - 1);
    else if (kept[place]?.isReplay === true && !record.isReplay) kept[place] = record;
  }
  return kept;
}
