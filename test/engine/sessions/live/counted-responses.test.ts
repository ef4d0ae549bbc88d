import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { CountedResponses } from "../../../../src/engine/sessions/live/counted-responses.ts";
import type { ApiResponse } from "../../../../src/engine/usage/api-response.ts";
import { copiesOf } from "../../usage/support/response-copies.ts";
import { catalogueWith } from "../support/describe.ts";
import { sonnet } from "../support/rows.ts";

const one = catalogueWith({});
const other = catalogueWith({ [sonnet]: { input: 30 } });

/** Copies of a few responses, some of which have no price. */
const responses = fc
  .tuple(copiesOf(), fc.array(fc.constantFrom(sonnet, sonnet, "nobody-knows-1"), { minLength: 1 }))
  .map(([copies, models]) =>
    copies.map((copy, index): ApiResponse => {
      const model = models[index % models.length] ?? sonnet;
      return { ...copy, model, sessionId: "session", cwd: null };
    }),
  );

const sumsOf = (counted: CountedResponses) => [
  counted.usage(),
  counted.cost(one),
  counted.cost(other),
  counted.cost(other, 1500),
  counted.processedAfter(1500),
];

describe("counted responses", () => {
  it("have the same sums however often they were requested before", () => {
    fc.assert(
      fc.property(responses, fc.array(fc.nat({ max: 4 }), { minLength: 40 }), (all, asks) => {
        const asked = new CountedResponses();
        const copied = new CountedResponses();
        let copy = copied;
        for (const [index, response] of all.entries()) {
          asked.add(response);
          copy.add(response);
          const ask = asks[index];
          if (ask === 0) asked.usage();
          if (ask === 1) asked.cost(one);
          if (ask === 2) asked.cost(other, 1500);
          if (ask === 3) copy = copy.copy();
          if (ask !== 4) continue;
          const fresh = new CountedResponses();
          for (const each of all.slice(0, index + 1)) fresh.add(each);
          assert.deepEqual(sumsOf(asked), sumsOf(fresh));
        }
        const fresh = new CountedResponses();
        for (const response of all) fresh.add(response);
        assert.deepEqual(sumsOf(asked), sumsOf(fresh));
        assert.deepEqual(sumsOf(copy), sumsOf(fresh));
      }),
    );
  });

  it("stay unchanged when a copy of them continues", () => {
    const response = { ...base, messageId: "a" };
    const counted = new CountedResponses();
    counted.add(response);
    const copy = counted.copy();
    copy.add({ ...base, messageId: "b" });
    copy.add({ ...base, messageId: "a", requestId: "again" });
    assert.deepEqual([counted.usage().output, copy.usage().output], [7, 21]);
  });
});

const base: ApiResponse = {
  messageId: "",
  requestId: "first",
  model: sonnet,
  at: 1000,
  usage: { input: 0, output: 7, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
  sessionId: "session",
  cwd: null,
  isSidechain: false,
};
