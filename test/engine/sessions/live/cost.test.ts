import { assert } from "../../support/assert-texts.ts";
import { describe, it } from "node:test";
import { cacheOf } from "../../../../src/engine/sessions/live/cost.ts";
import { accountOf, catalogueWith, describeSession } from "../support/describe.ts";
import { at, compaction, response, sonnet, type Response, type Row } from "../support/rows.ts";

const haiku = "claude-haiku-5-5";

/** Cost in USD and source of the next call, `minutes` after a response. */
function nextCallAfter(reported: Partial<Response> | readonly Row[], minutes = 1) {
  const isRows = (value: typeof reported): value is readonly Row[] => Array.isArray(value);
  const rows = isRows(reported) ? reported : [response({ id: "a", ...reported })];
  const { nextCall, cacheExpiresAt } = describeSession(rows, { now: at(minutes) });
  return { usd: dollars(nextCall.value), source: nextCall.source, cacheExpiresAt };
}

/** Rounds to a millionth of a dollar; no catalogue rate is finer for these amounts. */
function dollars(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6;
}

describe("the next call", () => {
  it("reads a warm cache", () => {
    assert.deepEqual(nextCallAfter({ read: 99_000, write5m: 500, output: 500 }), {
      usd: 0.03,
      source: "context read from the cache",
      cacheExpiresAt: at(5),
    });
  });

  it("writes the context again after five minutes, or after an hour", () => {
    const short = { read: 90_000, write5m: 10_000 };
    assert.equal(nextCallAfter(short, 4.99).usd, 0.03);
    assert.equal(nextCallAfter(short, 5).usd, 0.375);
    assert.match(nextCallAfter(short, 5).source.text, /expired/u);
    const long = { read: 90_000, write1h: 10_000 };
    assert.equal(nextCallAfter(long, 59.99).usd, 0.03);
    assert.deepEqual([nextCallAfter(long, 60).usd, nextCallAfter(long).cacheExpiresAt], [0.6, at(60)]);
  });

  it("takes the cache's lifetime from the last write to it", () => {
    const wrote = response({ id: "a", write1h: 50_000 });
    const read = response({ id: "b", minute: 10, read: 50_000, output: 50_000 });
    assert.equal(nextCallAfter([wrote, read], 69).usd, 0.03);
    assert.equal(nextCallAfter([wrote, read], 70).usd, 0.6);
    const wroteShort = response({ id: "c", minute: 11, read: 50_000, write5m: 50_000 });
    assert.equal(nextCallAfter([wrote, read, wroteShort], 17).usd, 0.375);
  });

  it("pays the full price where nothing is cached", () => {
    assert.deepEqual(nextCallAfter({ input: 99_000, output: 1000 }), {
      usd: 0.3,
      source: "context sent uncached",
      cacheExpiresAt: null,
    });
  });

  it("writes the context that a compaction left, because that was never sent", () => {
    const rows = [response({ id: "a", read: 150_000, write5m: 10 }), compaction({ post: 4000 })];
    assert.deepEqual(nextCallAfter(rows), {
      usd: 0.015,
      source: "compacted context written",
      cacheExpiresAt: null,
    });
    const silent = nextCallAfter([response({ id: "a", read: 150_000 }), compaction({})]);
    assert.deepEqual([silent.usd, silent.source], [null, "just compacted; the next response will tell"]);
  });

  it("has an unknown cost if the cache's lifetime is unknown, compacted or not", () => {
    const { last } = accountOf([response({ id: "a", read: 150_000, write5m: 10 })]).main;
    assert.ok(last !== null);
    for (const isCompacted of [false, true]) {
      const { state } = cacheOf(last, { isCompacted, cachesLong: false, cacheLife: null, now: at(1) });
      assert.equal(state, "unknown");
    }
  });

  it("follows the tier of its prompt: Haiku 5.5 costs five times as much above 100k", () => {
    const read = (tokens: number) => nextCallAfter({ model: haiku, read: tokens }).usd;
    assert.equal(read(100_000), 0.001);
    assert.equal(read(100_001), 0.005);
    assert.equal(nextCallAfter({ model: haiku, read: 100_000, output: 20_000 }).usd, 0.006);
    assert.equal(nextCallAfter({ model: haiku, read: 199_999, write5m: 1 }, 5).usd, 0.125);
    assert.equal(nextCallAfter({ model: haiku, read: 199_999, write1h: 1 }, 60).usd, 0.2);
  });

  it("is unknown before a response and for a model without a price", () => {
    assert.equal(nextCallAfter([]).source, "no response yet");
    const unknown = nextCallAfter({ model: "quay-1", read: 10 });
    assert.deepEqual([unknown.usd, unknown.source], [null, "no price is known for quay-1"]);
  });

  it("uses the user's price if one is set", () => {
    const catalogue = catalogueWith({ "quay-1": { cacheRead: 2 } });
    const rows = [response({ id: "a", model: "quay-1", read: 500_000 })];
    assert.equal(describeSession(rows, { catalogue, now: at(1) }).nextCall.value, 1);
  });
});

describe("a session's cost", () => {
  const first = response({ id: "a", input: 1000, write5m: 20_000, output: 400 });
  const second = response({ id: "b", read: 21_000, write1h: 1000, output: 600 });

  it("is the list price of each response", () => {
    assert.equal(dollars(describeSession([first]).cost.value), 0.084);
    const { cost } = describeSession([first, second]);
    assert.equal(dollars(cost.value), 0.084 + 0.0213);
    assert.deepEqual([cost.provenance, cost.source], ["estimated", "list price of each response"]);
  });

  it("prices each response in its own tier, not their sum", () => {
    const small = [1, 2, 3].map((each) => response({ id: `h${each}`, model: haiku, read: 60_000 }));
    assert.equal(dollars(describeSession(small).cost.value), 0.0018);
  });

  it("is unknown as soon as one model has no price, and names it", () => {
    const { cost, usage } = describeSession([first, response({ id: "c", model: "quay-1", input: 1 })]);
    assert.deepEqual([cost.value, cost.provenance], [null, "unknown"]);
    assert.equal(cost.source, "no price is known for quay-1");
    assert.equal(usage.input, 1001, "the tokens are still known");
  });

  it("is zero before the first response", () => {
    assert.equal(describeSession([]).cost.value, 0);
    assert.equal(describeSession([]).cacheRead.value, null);
  });

  it("includes the share of sent tokens that came from the cache", () => {
    const { cacheRead } = describeSession([first, second]);
    assert.deepEqual([cacheRead.value, cacheRead.provenance], [21_000 / 43_000, "measured"]);
  });

  it("is computed again after a response, a copy or another catalogue", () => {
    assert.equal(dollars(describeSession([second, second, second]).cost.value), 0.0213);
    const catalogue = catalogueWith({ [sonnet]: { cacheRead: 0, cacheWrite1h: 0, output: 1 } });
    assert.equal(dollars(describeSession([second], { catalogue }).cost.value), 0.0006);
  });
});
