import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { builtInCatalogue, Catalogue, lookupModel } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { priceOfNextCall, priceUsage, type Cost } from "../../../src/engine/usage/price.ts";
import { noUsage, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";

const lastYear = Date.parse("2025-11-20");
const thisAutumn = Date.parse("2026-11-15");

function cost(model: string, usage: Partial<TokenUsage>, at: number | null = thisAutumn): Cost {
  return priceUsage({ model, usage: { ...noUsage, ...usage }, at }, builtInCatalogue);
}

/** A model's rate, in USD per million tokens. */
function rate(model: string, kind: keyof TokenUsage, at: number | null = thisAutumn): number {
  const thousand = cost(model, { [kind]: 1_000 }, at);
  assert.ok(thousand.usd !== null, `${model} ${kind}`);
  return Number((thousand.usd * 1_000).toFixed(6));
}

// Anthropic's official list of 2026-11: input | 5m write | 1h write | read | output.
const official: readonly (readonly [string, readonly number[]])[] = [
  ["claude-fable-5-1", [10, 12.5, 20, 0.25, 50]],
  ["claude-fable-5", [10, 12.5, 20, 1, 50]],
  ["claude-opus-5-5", [4, 5, 8, 0.2, 20]],
  ["claude-opus-5", [5, 6.25, 10, 0.5, 25]],
  ["claude-opus-4-8", [5, 6.25, 10, 0.5, 25]],
  ["claude-opus-4-7", [5, 6.25, 10, 0.5, 25]],
  ["claude-opus-4-6", [5, 6.25, 10, 0.5, 25]],
  ["claude-opus-4-5-20251101", [5, 6.25, 10, 0.5, 25]],
  ["claude-opus-4-1-20250805", [15, 18.75, 30, 1.5, 75]],
  ["claude-opus-4-20250514", [15, 18.75, 30, 1.5, 75]],
  ["claude-sonnet-5-5", [2, 2.5, 4, 0.1, 10]],
  ["claude-sonnet-5", [2, 2.5, 4, 0.2, 10]],
  ["claude-sonnet-4-6[1m]", [3, 3.75, 6, 0.3, 15]],
  ["claude-sonnet-4-5-20250929", [3, 3.75, 6, 0.3, 15]],
  ["claude-sonnet-4-20250514", [3, 3.75, 6, 0.3, 15]],
  ["claude-haiku-5-5", [0.1, 0.125, 0.2, 0.01, 0.5]],
  ["claude-haiku-4-5-20251001", [1, 1.25, 2, 0.1, 5]],
];

describe("the price of a response", () => {
  for (const [model, rates] of official) {
    it(`of ${model} is the official list's`, () => {
      const kinds = ["input", "cacheCreation5m", "cacheCreation1h", "cacheRead", "output"] as const;
      assert.deepEqual(
        kinds.map((kind) => rate(model, kind)),
        rates,
      );
    });
  }

  it("adds the five kinds", () => {
    const usage = { input: 100, output: 200, cacheCreation5m: 300, cacheCreation1h: 400, cacheRead: 500 };
    const expected = (100 * 5 + 200 * 25 + 300 * 6.25 + 400 * 10 + 500 * 0.5) / 1e6;
    assert.deepEqual(cost("claude-opus-5", usage), { usd: expected });
  });

  it("depends on the size of the whole prompt, for the output too", () => {
    const usage = {
      input: 40_000,
      cacheCreation5m: 10_000,
      cacheCreation1h: 10_000,
      cacheRead: 40_000,
      output: 1_000,
    };
    assert.deepEqual(cost("claude-haiku-5-5", usage), {
      usd: (40_000 * 0.1 + 10_000 * 0.125 + 10_000 * 0.2 + 40_000 * 0.01 + 1_000 * 0.5) / 1e6,
    });
    assert.deepEqual(cost("claude-haiku-5-5", { ...usage, cacheRead: 40_001 }), {
      usd: (40_000 * 0.5 + 10_000 * 0.625 + 10_000 * 1 + 40_001 * 0.05 + 1_000 * 2.5) / 1e6,
    });
  });

  it("has no premium for a long prompt on a million-token Claude", () => {
    for (const model of ["claude-opus-4-8", "claude-sonnet-4-6", "claude-sonnet-5-5"]) {
      const long = cost(model, { input: 900_000 });
      assert.deepEqual(long, { usd: (900_000 * rate(model, "input")) / 1e6 }, model);
    }
  });

  it("depends on its day", () => {
    assert.equal(rate("claude-sonnet-5-5", "cacheRead", Date.parse("2026-10-06T23:59:59.999Z")), 0.2);
    assert.equal(rate("claude-sonnet-5-5", "cacheRead", Date.parse("2026-10-07T00:00:00Z")), 0.1);
    assert.deepEqual(cost("claude-sonnet-4-5", { input: 300_000 }, lastYear), { usd: (300_000 * 6) / 1e6 });
    assert.deepEqual(cost("claude-sonnet-4-5", { input: 300_000 }), { usd: (300_000 * 3) / 1e6 });
    assert.deepEqual(cost("claude-opus-4-6", { input: 300_000 }, Date.parse("2026-03-01")), { usd: 3 });
    assert.deepEqual(cost("claude-opus-4-6", { input: 300_000 }), { usd: 1.5 });
  });

  it("of an undated response uses the catalogue's date, not a price announced for later", () => {
    assert.equal(rate("gemini-3.8-flash", "input", null), 0.75);
    assert.equal(rate("gemini-3.8-flash", "input", Date.parse("2027-01-01")), 1.5);
    assert.equal(rate("claude-sonnet-5-5", "cacheRead", null), 0.1);
  });

  it("is unknown for an unknown model, even for no tokens", () => {
    const unknown = { usd: null, reason: "unknown_model" };
    assert.deepEqual(cost("claude-opus-9", { input: 1 }), unknown);
    assert.deepEqual(cost("<synthetic>", {}), unknown);
  });

  it("is unknown where a rate is unknown, unless no token of that kind was used", () => {
    const unknown = { usd: null, reason: "unknown_price" };
    assert.deepEqual(cost("gpt-5.3-codex", { cacheCreation5m: 1 }), unknown);
    assert.deepEqual(cost("gpt-5.3-codex", { input: 1_000_000 }), { usd: 1.75 });
    assert.deepEqual(cost("gpt-5-pro", { cacheRead: 1, input: 5 }), unknown);
  });

  it("is unknown for a model without a price", () => {
    const model = lookupModel(builtInCatalogue, "gpt-5");
    assert.ok(model);
    const catalogue = new Catalogue({ date: "2026-11-10", models: [{ ...model, prices: [] }] });
    assert.deepEqual(priceUsage({ model: "gpt-5", usage: noUsage, at: null }, catalogue), {
      usd: null,
      reason: "unknown_price",
    });
  });

  it("is never negative, never 0 for an unknown model, and grows with usage", () => {
    const count = fc.nat({ max: 2_000_000 });
    const anyUsage = fc.record({
      input: count,
      output: count,
      cacheRead: count,
      cacheCreation5m: count,
      cacheCreation1h: count,
    });
    const anyModel = fc.oneof(fc.constantFrom(...builtInCatalogue.models.map(({ id }) => id)), fc.string());
    fc.assert(
      fc.property(anyModel, anyUsage, fc.option(fc.integer()), (model, usage, at) => {
        const { usd } = priceUsage({ model, usage, at }, builtInCatalogue);
        const more = priceUsage(
          { model, usage: { ...usage, output: usage.output + 1 }, at },
          builtInCatalogue,
        );
        if (lookupModel(builtInCatalogue, model) === undefined) assert.equal(usd, null);
        else if (usd !== null) assert.ok(usd >= 0 && more.usd !== null && more.usd > usd);
      }),
    );
  });
});

it("the next call reads the context again at the cache's rate, by its size", () => {
  const next = (model: string, contextTokens: number): Cost =>
    priceOfNextCall({ model, contextTokens, at: thisAutumn }, builtInCatalogue);
  assert.deepEqual(next("claude-opus-4-8", 400_000), { usd: 0.2 });
  assert.deepEqual(next("claude-haiku-5-5", 100_000), { usd: 0.001 });
  assert.deepEqual(next("claude-haiku-5-5", 200_000), { usd: 0.01 });
  assert.deepEqual(next("nobody-knows", 1_000), { usd: null, reason: "unknown_model" });
});
