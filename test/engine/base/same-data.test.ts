import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isSameData } from "../../../src/engine/sessions/live/sessions-view.ts";

const data = fc.jsonValue({ maxDepth: 3 });

describe("the same data", () => {
  it("agrees with Node's own comparison", () => {
    fc.assert(
      fc.property(data, data, (one, other) => {
        assert.equal(isSameData(one, other), isDeepStrictEqual(one, other));
        assert.ok(isSameData(one, structuredClone(one)));
      }),
    );
  });

  it("differs in one member, one element, and a list from an object", () => {
    assert.ok(!isSameData({ a: [1, { b: null }] }, { a: [1, { b: 0 }] }));
    assert.ok(!isSameData([1], [1, 2]));
    assert.ok(!isSameData({ a: 1 }, { a: 1, b: 2 }));
    assert.ok(!isSameData({ a: undefined }, { b: undefined }));
    assert.ok(!isSameData([], {}));
  });
});
