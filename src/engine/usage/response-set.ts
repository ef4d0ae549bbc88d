import type { ApiResponse } from "./api-response.ts";
import { totalTokens } from "./token-counts.ts";

/** The fields of a response that decide which copies are the same one, and which copy wins. */
export type ResponseCopy = Pick<ApiResponse, "messageId" | "requestId" | "usage" | "isSidechain" | "at">;

/**
 * Collects copies of API responses from any number of files, in any order, and yields each response once.
 *
 * Copies of one `message.id` are the same response if their `requestId` is equal or missing, or if either is a
 * sidechain's replay (`/btw` asides replay the parent's rows under a new `requestId`). Of several copies the main chain's
 * wins, then the one with the largest output (output grows while a response streams), then the largest total, then the
 * earliest, then any, but always the same. The result does not depend on the order of adding.
 */
export class ResponseSet<Copy extends ResponseCopy> {
  readonly #byMessage = new Map<string, Copy[]>();

  add(copy: Copy): void {
    const copies = this.#byMessage.get(copy.messageId);
    if (copies === undefined) {
      this.#byMessage.set(copy.messageId, [copy]);
      return;
    }
    const same = copies.findIndex(
      (other) => other.requestId === copy.requestId && other.isSidechain === copy.isSidechain,
    );
    const held = copies[same];
    if (held === undefined) copies.push(copy);
    else if (isBetter(copy, held)) copies[same] = copy;
  }

  /** Yields each response once, in the order its message was first seen. */
  *responses(): Generator<Copy> {
    for (const copies of this.#byMessage.values()) {
      const [only] = copies;
      if (copies.length === 1 && only !== undefined) yield only;
      else yield* united(copies);
    }
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
    earlier(copy.at, held.at) ||
    // None of these is known to be right; the same one must win whichever comes first.
    copy.usage.input - held.usage.input ||
    copy.usage.cacheCreation5m - held.usage.cacheCreation5m ||
    copy.usage.cacheCreation1h - held.usage.cacheCreation1h;
  return difference > 0;
}

/** Positive if `at` is before `held`; a missing time is after any. */
function earlier(at: number | null, held: number | null): number {
  return at === held ? 0 : (held ?? Infinity) - (at ?? Infinity);
}
