import { occupancy } from "../../usage/token-counts.ts";
import { anomalyId, maxTurns, type FoundAnomaly } from "./outlier-runs.ts";
import type { Chain, TimedResponse } from "../questions/session-history.ts";

/** Tokens. Smaller prompts are hardly worth a cache, and some models do not cache them at all. */
const minPrompt = 10_000;
/**
 * Minimum responses in a fall. It is also the minimum number compared with before it; the second value is the maximum.
 * A share of 0.8 is low for a working cache.
 */
const [minResponses, maxBefore] = [5, 20];
const [wellAbove, wellBelow] = [0.8, 0.4];
/**
 * A prompt that shrank below this share was rewritten: tool results were dropped, or the conversation resumed from an
 * earlier point.
 */
const shrunk = 0.9;
/** How long the cache keeps its entries. Milliseconds. */
const lifetimes = { short: 5 * 60_000, long: 60 * 60_000 };

/** A response, and whether the pause before it explains few cache reads. */
interface Step {
  readonly response: TimedResponse;
  readonly isLate: boolean;
}

/**
 * Falling cache-hit rates. In a fall, over at least 5 consecutive responses of a conversation, at most 0.4 of the
 * prompts came from the cache. The 5 to 20 responses before it had at least 0.8. A compaction, another model or a
 * shrunken prompt explains a fall: the comparison starts over after it. A pause longer than the cache's lifetime
 * explains the next response.
 */
export function findCacheFalls(chain: Chain): FoundAnomaly[] {
  return piecesOf(chain).flatMap((piece) => fallsIn(piece, chain));
}

/**
 * The conversation without its small prompts, split where the cached text changed, without the first response of each
 * part.
 */
function piecesOf({ responses, compactions }: Chain): Step[][] {
  const pieces: Step[][] = [];
  let piece: Step[] = [];
  let last: TimedResponse | undefined;
  let keepsLong = false;
  for (const response of responses) {
    const { at, model, usage } = response;
    keepsLong ||= usage.cacheCreation1h > 0;
    const size = occupancy(usage);
    if (size < minPrompt) continue;
    const before = last;
    last = response;
    const isOther =
      before?.model !== model ||
      size < shrunk * occupancy(before.usage) ||
      compactions.some((each) => each >= before.at && each <= at);
    if (isOther) pieces.push((piece = []));
    else piece.push({ response, isLate: at - before.at > (keepsLong ? lifetimes.long : lifetimes.short) });
  }
  return pieces;
}

function fallsIn(piece: readonly Step[], { sessionId, agentId }: Chain): FoundAnomaly[] {
  const anomaly = { sessionId, agentId, cause: "cache-fall" } as const;
  const found: FoundAnomaly[] = [];
  /** Responses before this index belong to an earlier fall. */
  let since = 0;
  for (let start = 0; start + minResponses <= piece.length; start += 1) {
    const before = piece.slice(Math.max(since, start - maxBefore), start).filter(({ isLate }) => !isLate);
    const first = piece[start]?.response;
    // The fall began earlier, when there were too few responses to compare with.
    if (isLow(piece[start - 1])) continue;
    if (first === undefined || before.length < minResponses || shareOf(before) < wellAbove) continue;
    const window = piece.slice(start, start + minResponses);
    if (shareOf(window.slice(0, 1)) > wellBelow || shareOf(window) > wellBelow) continue;
    if (window.some(({ isLate }) => isLate)) continue;
    let end = start + minResponses;
    while (end < piece.length && end - start < maxTurns && isLow(piece[end])) end += 1;
    const fall = piece.slice(start, end);
    found.push({
      ...anomaly,
      id: anomalyId(anomaly, first.messageId),
      at: fall.at(-1)?.response.at ?? first.at,
      value: shareOf(fall),
      usual: shareOf(before),
      turns: fall.map(({ response }) => response.messageId),
    });
    since = end;
    start = end - 1;
  }
  return found;
}

function isLow(step: Step | undefined): boolean {
  return step !== undefined && !step.isLate && shareOf([step]) <= wellBelow;
}

/** The share of the prompts that came from the cache, from 0 to 1. */
function shareOf(steps: readonly Step[]): number {
  const sum = (of: (response: TimedResponse) => number) =>
    steps.reduce((whole, { response }) => whole + of(response), 0);
  return sum(({ usage }) => usage.cacheRead) / sum(({ usage }) => occupancy(usage));
}
