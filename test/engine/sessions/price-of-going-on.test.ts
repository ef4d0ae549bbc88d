import { describe, it } from "node:test";
import fc from "fast-check";
import { assert } from "../support/assert-texts.ts";
import { describeSession } from "./support/describe.ts";
import { compaction, response, type Row } from "./support/rows.ts";

/** Calls that read the last context from the cache and write 2,000 tokens. */
function warm(turns: number, from = 20_000): Row[] {
  return Array.from({ length: turns }, (_, turn) =>
    response({
      id: `m${from}-${turn}`,
      minute: turn,
      read: from + 2000 * (turn - 1),
      write5m: 2000,
      output: 100,
    }),
  );
}

describe("the price of going on", () => {
  it("is that of ten turns that read the context, write its growth and answer, at list prices", () => {
    const { goingOn } = describeSession(warm(31));
    // claude-sonnet-4-6: 0.30 to read, 3.75 to write, 15 for output, USD per million tokens.
    const contexts = Array.from({ length: 10 }, (_, turn) => 80_100 + 2000 * turn);
    const reads = contexts.reduce((sum, tokens) => sum + tokens, 0) * 0.3;
    const expected = (reads + 10 * (2000 * 3.75 + 100 * 15)) / 1_000_000;
    assert.equal(goingOn.here.value?.toFixed(4), expected.toFixed(4));
    assert.equal(goingOn.here.provenance, "estimated");
    assert.ok((goingOn.fresh.value ?? NaN) < expected, "a small context is cheaper");
    assert.equal(goingOn.coldCall.value?.toFixed(4), ((80_100 * 3.75) / 1_000_000).toFixed(4));
  });

  it("is unknown while little is known, after uneven turns, and where the cache expired often", () => {
    assert.equal(describeSession([]).goingOn.here.value, null);
    assert.match(describeSession(warm(4)).goingOn.here.source.text, /fewer than 8 turns/u);
    const cold = warm(40).map((row, turn) =>
      turn % 4 === 0 ? response({ id: `m20000-${turn}`, minute: turn, write5m: 20_000 + 2000 * turn }) : row,
    );
    assert.match(describeSession(cold).goingOn.here.source.text, /differ too much/u);
  });

  it("takes a compaction into account: the context starts again at its first size", () => {
    const near = describeSession(warm(73)).goingOn.here.value ?? NaN;
    const far = describeSession(warm(50)).goingOn.here.value ?? NaN;
    assert.ok(near < far * 1.2, `${near} beside ${far}`);
  });

  it("is never negative, for any sizes of contexts", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 190_000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (contexts, isCompacted) => {
        const rows = contexts.map((size, turn) =>
          response({ id: `m${turn}`, minute: turn, read: size >> 1, write5m: size - (size >> 1) }),
        );
        const { goingOn } = describeSession(isCompacted ? [...rows, compaction({ post: 9000 })] : rows);
        for (const { value } of Object.values(goingOn)) assert.ok(value === null || value >= 0);
      }),
    );
  });
});
