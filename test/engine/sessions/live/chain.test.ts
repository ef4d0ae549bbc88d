import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Chain } from "../../../../src/engine/sessions/live/chain.ts";
import { accountOf, describeSession } from "../support/describe.ts";
import {
  compaction,
  prompt,
  response,
  sonnet,
  syntheticError,
  type Response,
  type Row,
} from "../support/rows.ts";

function chainOf(...rows: readonly Row[]): Chain {
  return accountOf(rows).main;
}

describe("the context of a chain", () => {
  it("is the input of its last response, and the next request also sends that answer", () => {
    const chain = chainOf(
      response({ id: "a", input: 50_000, output: 9 }),
      response({ id: "b", input: 5, write5m: 100, write1h: 1000, read: 60_000, output: 700 }),
    );
    assert.equal(chain.occupancy(), 61_105);
    assert.equal(chain.carried(), 61_805);
    assert.equal(chain.turns, 2);
    assert.deepEqual(chain.occupancies, [50_000, 61_105]);
  });

  it("is unknown before the first response", () => {
    const chain = chainOf(prompt());
    assert.deepEqual([chain.occupancy(), chain.carried(), chain.evidence()], [null, null, null]);
    assert.equal(chain.prompts, 1);
  });

  it("is not emptied by errors, rows without usage, and sums over several requests", () => {
    const real = response({ id: "a", input: 50_000 });
    const rows = [syntheticError(), response({ id: "b", output: 5 }), response({ id: "c", read: 2_000_001 })];
    for (const row of rows) {
      const chain = chainOf(real, row);
      assert.equal(chain.occupancy(), 50_000);
      assert.equal(chain.turns, 1);
    }
  });

  it("counts a response once, however many rows repeat it", () => {
    const row = response({ id: "a", input: 50_000, output: 7 });
    const chain = chainOf(row, row, row);
    assert.deepEqual([chain.turns, chain.occupancies], [1, [50_000]]);
  });

  it("takes the fullest copy, in whatever order the copies come", () => {
    const partial = response({ id: "a", input: 50_000, output: 1 });
    const whole = response({ id: "a", input: 50_000, output: 900 });
    assert.equal(chainOf(partial, whole).carried(), 50_900);
    assert.equal(chainOf(whole, partial).carried(), 50_900);
  });

  it("counts copies once when two processes write into one file in turns", () => {
    const [a, b] = [response({ id: "a", input: 40_000 }), response({ id: "b", input: 60_000 })];
    const chain = chainOf(a, b, a, b, a);
    assert.deepEqual([chain.turns, chain.occupancy(), chain.occupancies], [2, 60_000, [40_000, 60_000]]);
  });

  it("distinguishes responses with one message id by their requests, if both are named", () => {
    const row = (requestId: string | null, input: number) => response({ id: "same", requestId, input });
    assert.equal(chainOf(row("r1", 100), row("r2", 200)).turns, 2);
    assert.equal(chainOf(row("r1", 100), row("r2", 200)).occupancy(), 200);
    assert.equal(chainOf(row("r1", 100), row(null, 100)).turns, 1);
    assert.equal(chainOf(row(null, 100), row("r1", 100)).turns, 1);
  });

  it("remembers enough for the forecast, not everything", () => {
    const rows = Array.from({ length: 200 }, (_, index) => response({ id: `m${index}`, input: 1 + index }));
    const chain = chainOf(...rows);
    assert.equal(chain.turns, 200);
    assert.equal(chain.occupancies.length, 64);
    assert.equal(chain.occupancies.at(-1), 200);
  });
});

describe("a compaction", () => {
  const full = response({ id: "a", input: 150_000, output: 100 });

  it("leaves the reported size until the next response", () => {
    const chain = chainOf(full, compaction({ pre: 150_100, post: 4000 }));
    assert.deepEqual([chain.occupancy(), chain.carried()], [4000, 4000]);
    assert.deepEqual(chain.occupancies, []);
    const after = chainOf(full, compaction({ post: 4000 }), response({ id: "b", input: 21_000, output: 5 }));
    assert.deepEqual([after.occupancy(), after.carried(), after.turns], [21_000, 21_005, 2]);
  });

  it("leaves an unknown size if it reports none", () => {
    assert.equal(chainOf(full, compaction({ pre: 150_100 })).occupancy(), null);
  });

  it("is not undone by a late copy of a response from before it, nor by an error", () => {
    for (const late of [full, syntheticError()])
      assert.equal(chainOf(full, compaction({ post: 4000 }), late).occupancy(), 4000);
  });

  it("keeps the growth before it for the forecast, without the first steps after it", () => {
    const grown = [10, 20, 30, 40, 50, 60, 70, 80, 90].map((each) =>
      response({ id: `m${each}`, input: each * 1000 }),
    );
    assert.equal(describeSession(grown).growth.value, 10_000);
    const compacted = [...grown, compaction({ post: 4000 })];
    assert.equal(describeSession(compacted).growth.value, 10_000);
    const again = [20, 40, 60, 80].map((each) => response({ id: `n${each}`, input: each * 1000 }));
    assert.equal(describeSession([...compacted, ...again]).growth.value, 10_000);
  });
});

describe("any rows", () => {
  const reported: fc.Arbitrary<Response> = fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    input: fc.nat(300_000),
    output: fc.nat(9000),
    model: fc.constantFrom(sonnet, "claude-haiku-4-5"),
  });
  const row = fc.oneof(
    reported.map(response),
    fc.record({ post: fc.nat(9000) }).map(compaction),
    fc.constant(syntheticError()),
  );

  it("count each response once, and end at the last of them or a compaction after it", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const chain = chainOf(...rows);
        assert.ok(chain.turns <= 4);
        assert.ok(chain.occupancies.length <= chain.turns);
        if (chain.unansweredCompaction !== null)
          assert.equal(chain.occupancy(), chain.unansweredCompaction.postTokens);
        else assert.equal(chain.occupancy() ?? 0, chain.occupancies.at(-1) ?? 0);
      }),
    );
  });

  it("give the same result with every row written twice", () => {
    fc.assert(
      fc.property(fc.array(reported.map(response), { maxLength: 30 }), (rows) => {
        const once = chainOf(...rows);
        const twice = chainOf(...rows.flatMap((each) => [each, each]));
        assert.deepEqual(twice, once);
        assert.deepEqual(twice.evidence(), once.evidence());
      }),
    );
  });
});
