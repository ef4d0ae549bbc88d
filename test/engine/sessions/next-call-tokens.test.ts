import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Chain } from "../../../src/engine/sessions/live/chain.ts";
import { firstCallTokens, nextCallTokens } from "../../../src/engine/sessions/next-call-tokens.ts";
import { accountOf } from "./support/describe.ts";
import { at, compaction, response, type Response, type Row } from "./support/rows.ts";

const chainOf = (rows: readonly Row[]): Chain => accountOf(rows).main;
const one = (reported: Partial<Response> = {}): Row[] => [response({ id: "a", ...reported })];
const next = (rows: readonly Row[], minute = 1, added = 0) =>
  nextCallTokens(chainOf(rows), { added, now: at(minute) });

describe("the tokens of the next call", () => {
  it("are those missing from a warm cache, plus an answer", () => {
    assert.deepEqual(next(one({ input: 10, write5m: 500, read: 99_000, output: 700 }), 1, 40), {
      tokens: 700 + 40 + 700,
      priced: {
        model: "claude-sonnet-4-6",
        usage: { input: 0, cacheCreation5m: 740, cacheCreation1h: 0, cacheRead: 99_510, output: 700 },
      },
      source: "context read from the cache, answers of 700",
    });
  });

  it("are the whole context where the cache has expired: after five minutes, or an hour", () => {
    const short = one({ write5m: 500, read: 99_000, output: 500 });
    const long = one({ write1h: 500, read: 99_000, output: 500 });
    assert.deepEqual(
      [next(short, 4), next(short, 6), next(long, 59), next(long, 61)].map((reported) => reported?.tokens),
      [1000, 100_500, 1000, 100_500],
    );
    assert.match(
      next(short, 6)?.source.text ?? "",
      /^cache expired, whole context rewritten: 100,000, answers of 500$/u,
    );
  });

  it("are the whole context if nothing is ever cached", () => {
    assert.equal(next(one({ input: 3000, output: 100 }))?.tokens, 3200);
  });

  it("are the context that a compaction left, until the next response", () => {
    const rows = [
      ...one({ read: 150_000, write5m: 1, output: 400 }),
      compaction({ minute: 1, pre: 150_400, post: 9000 }),
    ];
    assert.equal(next(rows)?.tokens, 9400);
  });

  it("include an answer as long as the last twenty, not as the longest", () => {
    const rows = Array.from({ length: 30 }, (_, number) =>
      response({
        id: `m${number}`,
        write5m: 1,
        read: 1000 + number,
        output: number < 10 ? 9000 : number === 25 ? 5000 : 100,
      }),
    );
    assert.match(next(rows)?.source.text ?? "", /answers of 100$/u);
  });

  it("are unknown before the first response", () => {
    assert.equal(next([]), null);
  });

  it("are never fewer than the added tokens, and never negative", () => {
    const count = fc.nat(200_000);
    const usage = fc.record({ input: count, write5m: count, write1h: count, read: count, output: count });
    fc.assert(
      fc.property(fc.array(usage, { maxLength: 8 }), fc.nat(300), fc.nat(5000), (all, minute, added) => {
        const reported = next(
          all.map((each, number) => response({ id: `m${number}`, ...each })),
          minute,
          added,
        );
        if (reported !== null) assert.ok(Number.isInteger(reported.tokens) && reported.tokens >= added);
      }),
    );
  });
});

describe("the tokens of a first call", () => {
  it("are the median of other first calls", () => {
    const others = [20_000, 30_000, 90_000].map((read) => chainOf(one({ read })));
    assert.deepEqual(firstCallTokens(others, 7), {
      tokens: 30_007,
      priced: null,
      source: "as the first call of 3 other sessions: 30,000",
    });
  });

  it("ignore conversations with a forgotten or compacted beginning", () => {
    const long = Array.from({ length: 70 }, (_, number) => response({ id: `m${number}`, read: 1000 }));
    const compacted = [compaction({ pre: 10, post: 5 }), ...one({ read: 10 })];
    assert.equal(firstCallTokens([long, compacted, []].map(chainOf), 7), null);
  });
});
