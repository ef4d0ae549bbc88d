import fc from "fast-check";
import type { ResponseCopy } from "../../../../src/engine/usage/response-set.ts";

const count = fc.nat({ max: 3 });

/** Copies of a few responses, few enough different values that many of them are the same response. */
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
 * In one order, so that sets of copies can be compared. Without request ids: of copies that are equal but for them, any
 * may be kept.
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
