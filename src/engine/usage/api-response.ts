import { type PriceTerms, codeOfTerms } from "./price-terms.ts";
import { occupancy, type TokenUsage, totalTokens } from "./token-counts.ts";

/**
 * One copy of an API response in a transcript row. A response is written once per content block, and again into every
 * fork of its session: `ResponseSet` counts it once.
 */
export interface ApiResponse {
  /**
   * `message.id`, never empty. `rowId` makes the id of a row without one, and `serverCallId` that of a call by the API
   * itself.
   */
  readonly messageId: string;
  /** `requestId`, or null on gateways and rows that have none. */
  readonly requestId: string | null;
  /** The model's id as the API named it; any `[1m]` suffix is already gone. */
  readonly model: string;
  /** Milliseconds since the epoch, or null when the row has no readable time. */
  readonly at: number | null;
  readonly usage: TokenUsage;
  readonly sessionId: string;
  /** Absolute path the agent worked in, or null when the row has none. */
  readonly cwd: string | null;
  /** The row belongs to a side conversation (a subagent, a `/btw` aside), not to the session's main chain. */
  readonly isSidechain: boolean;
  /** Absent for the standard terms. */
  readonly terms?: PriceTerms | undefined;
  /** The last of several calls that `usage` sums up; null where unknown, absent where `usage` covers one call. */
  readonly lastCall?: LastCall | null | undefined;
}

/** Tokens of the last call that the API made for a response. */
export interface LastCall {
  /** Tokens it put into the context window. */
  readonly context: number;
  readonly output: number;
}

/** Returns what a response left in the context window, without its answer; 0 where unknown. Tokens. */
export function contextOf({ usage, lastCall }: Pick<ApiResponse, "usage" | "lastCall">): number {
  return lastCall === undefined ? occupancy(usage) : (lastCall?.context ?? 0);
}

/** Returns the answer that follows the context of a response. Tokens. */
export function answerOf({ usage, lastCall }: Pick<ApiResponse, "usage" | "lastCall">): number {
  return lastCall === undefined ? usage.output : (lastCall?.output ?? 0);
}

const [serverCall, request, row] = ["server-call:", "request:", "row:"];

/** The id of a call that the API made by itself for a response: to an advisor, or for a summary. */
export function serverCallId(messageId: string, type: string, number: number): string {
  return `${serverCall}${type}:${number}:${messageId}`;
}

/** Whether the id belongs to a call that counts, but is not part of the conversation. */
export function isServerCall(messageId: string): boolean {
  return messageId.startsWith(serverCall);
}

/** The id of a response without a message id: by its request, else by the row's own id. Null without either. */
export function rowId(requestId: string | null, uuid: string | null): string | null {
  if (requestId !== null) return `${request}${requestId}`;
  return uuid === null ? null : `${row}${uuid}`;
}

/** Whether a response is identified by its row alone, so that a repetition of it cannot be recognised. */
export function isByRow(messageId: string): boolean {
  return messageId.startsWith(row);
}

/** A compaction, read from its `compact_boundary` row. Tokens. */
export interface Compaction {
  readonly trigger: "auto" | "manual" | "unknown";
  /** Occupancy at its start, or null if the row has none. */
  readonly preTokens: number | null;
  /** Occupancy after it, or null if the row has none. */
  readonly postTokens: number | null;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
  /**
   * True if the agent reported that it did not wait for a full window: while idle, or with a summary made in advance.
   */
  readonly isEarly?: boolean;
}

/** Numbers under the names used by their agent. */
export type Counters = Readonly<Record<string, number>>;

interface Increase {
  readonly delta: Counters;
  /** Whether the counters started over: then `delta` is all they have counted since. */
  readonly isReset: boolean;
}

/**
 * Returns the increase of cumulative counters since `previous`. Counters of one source start over together, so if one
 * went back, all of `current` is new. This never applies per field, which would mix two sources' numbers. A counter
 * that only one side has is not evidence of a reset: a new one counts from zero, a missing one not at all.
 */
export function increaseOf(previous: Counters | null, current: Counters): Increase {
  if (previous === null) return { delta: current, isReset: false };
  if (Object.entries(current).some(([name, value]) => value < (previous[name] ?? 0)))
    return { delta: current, isReset: true };
  return { delta: mapCounters(current, (value, name) => value - (previous[name] ?? 0)), isReset: false };
}

/** Adds counters by name; a missing one counts as zero. */
export function addCounters(one: Counters, other: Counters): Counters {
  return mapCounters({ ...one, ...other }, (_, name) => (one[name] ?? 0) + (other[name] ?? 0));
}

/** Picks the named counters of an agent's fields that are numbers. */
export function pickCounters<Name extends string>(
  fields: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): Counters {
  const counters: Record<string, number> = {};
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "number") counters[name] = value;
  }
  return counters;
}

function mapCounters(counters: Counters, change: (value: number, name: string) => number): Counters {
  return Object.fromEntries(
    Object.entries(counters).map(([name, value]): [string, number] => [name, change(value, name)]),
  );
}

export function isZero(counters: Counters): boolean {
  return Object.values(counters).every((value) => value === 0);
}

/** Whether counters are equal; a missing one counts as zero. */
export function isSame(one: Counters, other: Counters): boolean {
  return Object.keys({ ...one, ...other }).every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}

/** The fields of a response that decide which copies are the same, and which copy wins. */
export type ResponseCopy = Pick<
  ApiResponse,
  "messageId" | "requestId" | "usage" | "isSidechain" | "at" | "terms" | "lastCall"
>;

/**
 * Collects copies of API responses from any number of files, in any order, and yields each response once.
 *
 * Copies of one `message.id` are the same response if their `requestId` is equal or missing, or if either is a
 * sidechain's replay (`/btw` asides replay the parent's rows under a new `requestId`). Of several copies the main
 * chain's wins, then the one with the largest output (output grows while a response streams), then the largest total.
 * Next are the one with the most facts about its price and context, and the earliest. Any further tie is always decided
 * the same way. The result does not depend on the order of adding.
 */
export class ResponseSet<Copy extends ResponseCopy> {
  /** The first copy of each message, or the better one that replaced it: most messages have only one. */
  readonly #byMessage = new Map<string, Copy>();
  /** The copies of those messages that have several. */
  readonly #several = new Map<string, Copy[]>();

  has(messageId: string): boolean {
    return this.#byMessage.has(messageId);
  }

  add(copy: Copy): void {
    const { messageId } = copy;
    const only = this.#byMessage.get(messageId);
    if (only === undefined) {
      this.#byMessage.set(messageId, copy);
      return;
    }
    const copies = this.#several.get(messageId) ?? [only];
    const same = copies.findIndex(
      (other) => other.requestId === copy.requestId && other.isSidechain === copy.isSidechain,
    );
    const held = copies[same];
    if (held === undefined) this.#several.set(messageId, [...copies, copy]);
    else if (!isBetter(copy, held)) return;
    else if (copies.length === 1) this.#byMessage.set(messageId, copy);
    else copies[same] = copy;
  }

  /**
   * Yields each response once, in the order its message was first seen.
   *
   * @param end the message before which to stop
   */
  *responses(end?: string): Generator<Copy> {
    for (const [messageId, only] of this.#byMessage) {
      if (messageId === end) return;
      const copies = this.#several.size === 0 ? undefined : this.#several.get(messageId);
      if (copies === undefined) yield only;
      else yield* united(copies);
    }
  }

  messageIds(): Iterable<string> {
    return this.#byMessage.keys();
  }

  /** Returns the responses of one message. */
  of(messageId: string): readonly Copy[] {
    const only = this.#byMessage.get(messageId);
    if (only === undefined) return [];
    const copies = this.#several.get(messageId);
    return copies === undefined ? [only] : united(copies);
  }

  /** Returns a set with the same copies, to which others can be added. */
  copy(): ResponseSet<Copy> {
    const set = new ResponseSet<Copy>();
    for (const [messageId, only] of this.#byMessage) set.#byMessage.set(messageId, only);
    for (const [messageId, copies] of this.#several) set.#several.set(messageId, [...copies]);
    return set;
  }
}

/** Merges copies of one message. `copies` has one entry for each pair of request id and chain. */
function united<Copy extends ResponseCopy>(copies: readonly Copy[]): Copy[] {
  const main = copies.filter((copy) => !copy.isSidechain);
  if (main.length === 0) return [best(copies)];
  const named = main.filter((copy) => copy.requestId !== null);
  if (named.length <= 1) return [best(main)];
  const unnamed = main.find((copy) => copy.requestId === null);
  const largest = best(named);
  return named.map((copy) => (copy === largest && unnamed !== undefined ? best([copy, unnamed]) : copy));
}

function best<Copy extends ResponseCopy>(copies: readonly Copy[]): Copy {
  return copies.reduce((held, copy) => (isBetter(copy, held) ? copy : held));
}

/** Whether `copy` replaces `held`, another copy of the same response. */
export function isBetter(copy: ResponseCopy, held: ResponseCopy): boolean {
  const difference =
    Number(held.isSidechain) - Number(copy.isSidechain) ||
    copy.usage.output - held.usage.output ||
    totalTokens(copy.usage) - totalTokens(held.usage) ||
    detailOf(copy) - detailOf(held) ||
    earlier(copy.at, held.at) ||
    // None of these is known to be right; the same one must win in any order.
    copy.usage.input - held.usage.input ||
    copy.usage.cacheCreation5m - held.usage.cacheCreation5m ||
    copy.usage.cacheCreation1h - held.usage.cacheCreation1h;
  return difference > 0;
}

/** The number of facts in a copy besides its tokens. */
function detailOf({ terms, lastCall }: Pick<ResponseCopy, "terms" | "lastCall">): number {
  return codeOfTerms(terms) * 2 + Number(lastCall !== undefined);
}

/** Positive if `at` is before `held`; a missing time is after any. */
function earlier(at: number | null, held: number | null): number {
  return at === held ? 0 : (held ?? Infinity) - (at ?? Infinity);
}
