import type { ApiResponse } from "./api-response.ts";
import { codeOfTerms } from "./price-terms.ts";
import { totalTokens } from "./token-counts.ts";

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
