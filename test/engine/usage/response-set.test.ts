import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ResponseSet, type ResponseCopy } from "../../../src/engine/usage/api-response.ts";
import { noUsage } from "../../../src/engine/usage/token-counts.ts";
import { copiesOf, sortedCopies } from "./support/response-copies.ts";

function copy(fields: Partial<ResponseCopy> & { output?: number } = {}): ResponseCopy {
  const { output = 1, ...rest } = fields;
  return {
    messageId: "msg_1",
    requestId: "req_1",
    usage: { ...noUsage, output },
    isSidechain: false,
    at: 1000,
    ...rest,
  };
}

function united(...copies: ResponseCopy[]): ResponseCopy[] {
  const set = new ResponseSet<ResponseCopy>();
  for (const one of copies) set.add(one);
  return [...set.responses()];
}

describe("response set", () => {
  const cases: { name: string; copies: ResponseCopy[]; kept: ResponseCopy[] }[] = [
    {
      name: "counts the rows of one response's content blocks once",
      copies: [copy(), copy(), copy()],
      kept: [copy()],
    },
    {
      name: "keeps the largest output: it grows while a response streams",
      copies: [copy({ output: 2 }), copy({ output: 90 }), copy({ output: 40 })],
      kept: [copy({ output: 90 })],
    },
    {
      name: "keeps the largest total of equal outputs",
      copies: [copy(), copy({ usage: { ...noUsage, output: 1, input: 5 } }), copy()],
      kept: [copy({ usage: { ...noUsage, output: 1, input: 5 } })],
    },
    {
      name: "keeps the earliest of equal copies, and a time rather than none",
      copies: [copy({ at: null }), copy({ at: 3000 }), copy({ at: 2000 })],
      kept: [copy({ at: 2000 })],
    },
    {
      name: "counts different messages apart",
      copies: [copy(), copy({ messageId: "msg_2" })],
      kept: [copy(), copy({ messageId: "msg_2" })],
    },
    {
      name: "counts different requests of the main chain apart",
      copies: [copy(), copy({ requestId: "req_2" })],
      kept: [copy(), copy({ requestId: "req_2" })],
    },
    {
      name: "takes a copy without a request id for the same response",
      copies: [copy({ requestId: null, output: 9 }), copy()],
      kept: [copy({ requestId: null, output: 9 })],
    },
    {
      name: "takes a sidechain's replay under a new request id for the same response, and keeps the main chain's",
      copies: [copy({ isSidechain: true, requestId: "req_2", output: 9 }), copy()],
      kept: [copy()],
    },
    {
      name: "counts a sidechain's own response once",
      copies: [
        copy({ isSidechain: true, output: 2 }),
        copy({ isSidechain: true, requestId: "req_2", output: 9 }),
      ],
      kept: [copy({ isSidechain: true, requestId: "req_2", output: 9 })],
    },
  ];
  for (const { name, copies, kept } of cases) {
    it(name, () => {
      assert.deepEqual(sortedCopies(united(...copies)), sortedCopies(kept));
      assert.deepEqual(sortedCopies(united(...copies.toReversed())), sortedCopies(kept));
    });
  }

  it("does not depend on the order of adding, or on adding twice", () => {
    fc.assert(
      fc.property(copiesOf(), fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (copies, indexes) => {
        const shuffled = copies
          .map((one, index) => ({ one, place: indexes[index] ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ one }) => one);
        const expected = sortedCopies(united(...copies));
        assert.deepEqual(sortedCopies(united(...shuffled)), expected);
        assert.deepEqual(sortedCopies(united(...copies, ...shuffled)), expected);
      }),
    );
  });

  it("yields each message at least once, and never more often than it has requests", () => {
    fc.assert(
      fc.property(copiesOf(), (copies) => {
        const kept = united(...copies);
        const messages = new Set(copies.map(({ messageId }) => messageId));
        assert.deepEqual(new Set(kept.map(({ messageId }) => messageId)), messages);
        for (const message of messages) {
          const requests = copies
            .filter(({ messageId }) => messageId === message)
            .map(({ requestId }) => requestId);
          const named = new Set(requests.filter((request) => request !== null)).size;
          const count = kept.filter(({ messageId }) => messageId === message).length;
          assert.ok(count <= Math.max(1, named));
        }
      }),
    );
  });
});
