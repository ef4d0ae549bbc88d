import fc from "fast-check";
import type { ResponseCopy } from "../../../../src/engine/usage/api-response.ts";

const count = fc.nat({ max: 3 });

/** Copies of a few responses, with so few distinct values that many are the same response. */
export function copiesOf(): fc.Arbitrary<ResponseCopy[]> {
  const copy = fc.record({
    messageId: fc.constantFrom("msg_1", "msg_2", "msg_ü"),
    requestId: fc.constantFrom("req_1", "req_2", "req_3", null),
    usage: fc.record({
      input: count,
      output: count,
      cacheCreation5m: count,
      cacheCreation1h: fc.constant(0),
      cacheRead: count,
    }),
    isSidechain: fc.boolean(),
    at: fc.constantFrom(1000, 2000, null),
  });
  return fc.array(copy, { maxLength: 40 });
}

/**
 * Sorts copies so that sets can be compared. Drops request ids, since any of the copies that only differ in them may be
 * stored.
 */
export function sortedCopies(copies: readonly ResponseCopy[]): Omit<ResponseCopy, "requestId">[] {
  const plain = copies.map(({ messageId, isSidechain, usage, at }) => ({
    messageId,
    isSidechain,
    usage,
    at,
  }));
  const text = (copy: Omit<ResponseCopy, "requestId">) =>
    JSON.stringify([copy.messageId, copy.isSidechain, Object.entries(copy.usage), copy.at]);
  return plain.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}
