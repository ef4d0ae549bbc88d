import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import {
  codeOfTerms,
  standardTerms,
  termsOfCode,
  termsOfText,
  textOfTerms,
  type PriceTerms,
} from "../../../src/engine/usage/price-terms.ts";
import { priceUsage } from "../../../src/engine/usage/price.ts";
import { noUsage } from "../../../src/engine/usage/token-counts.ts";

const million = { ...noUsage, input: 1_000_000, output: 100_000 };
const at = Date.parse("2026-11-20");

function usd(model: string, terms: Partial<PriceTerms>, usage = million): number | null {
  const { usd: price } = priceUsage(
    { model, usage, at, terms: { ...standardTerms, ...terms } },
    builtInCatalogue,
  );
  return price === null ? null : Math.round(price * 1e6) / 1e6;
}

describe("terms of a price", () => {
  it("are the same after a round trip as a number or as text", () => {
    const terms = fc.record({
      isFast: fc.boolean(),
      isUsOnly: fc.boolean(),
      isBatch: fc.boolean(),
      isOtherTier: fc.boolean(),
      webSearches: fc.nat({ max: 100_000 }),
    });
    fc.assert(
      fc.property(terms, (each) => {
        assert.deepEqual(termsOfCode(codeOfTerms(each)) ?? standardTerms, { ...each });
        assert.deepEqual(termsOfText(textOfTerms(each)) ?? standardTerms, { ...each });
      }),
    );
    assert.deepEqual([codeOfTerms(), textOfTerms()], [0, null]);
  });

  it("raise the price of fast mode by the model's own factor", () => {
    assert.deepEqual([usd("claude-opus-4-6", {}), usd("claude-opus-4-6", { isFast: true })], [7.5, 45]);
    assert.deepEqual([usd("claude-opus-4-8", {}), usd("claude-opus-4-8", { isFast: true })], [7.5, 15]);
  });

  it("leave the price unknown for a model with an unpriced fast mode", () => {
    assert.equal(usd("claude-haiku-4-5", { isFast: true }), null);
  });

  it("raise the price for the United States and lower it for batches, together with fast mode", () => {
    assert.equal(usd("claude-opus-4-6", { isUsOnly: true }), 8.25);
    assert.equal(usd("claude-opus-4-6", { isBatch: true }), 3.75);
    assert.equal(usd("claude-opus-4-6", { isFast: true, isUsOnly: true }), 49.5);
  });

  it("raise OpenAI's price of fast mode, also for large prompts where it serves them", () => {
    const large = { ...noUsage, input: 300_000 };
    assert.deepEqual([usd("gpt-6.1-sol", {}), usd("gpt-6.1-sol", { isFast: true })], [5.5, 11]);
    assert.deepEqual(
      [usd("gpt-5.6-sol", {}, large), usd("gpt-5.6-sol", { isFast: true }, large)],
      [2.4, 4.8],
    );
    const small = { ...noUsage, input: 100_000, output: 100_000 };
    assert.deepEqual([usd("gpt-5.5", {}, small), usd("gpt-5.5", { isFast: true }, small)], [3.5, 8.75]);
    assert.deepEqual([usd("gpt-5.5", {}, large), usd("gpt-5.5", { isFast: true }, large)], [3, 3]);
  });

  it("keep Claude's price of fast mode for large prompts", () => {
    const early = { ...noUsage, input: 300_000 };
    const price = { model: "claude-opus-4-6", usage: early, at: Date.parse("2026-02-20") };
    const fast = { ...standardTerms, isFast: true };
    assert.equal(priceUsage(price, builtInCatalogue).usd, 3);
    assert.equal(priceUsage({ ...price, terms: fast }, builtInCatalogue).usd, 9);
  });

  it("mark the standard tier's price where another tier has none", () => {
    const marked = (model: string, terms: Partial<PriceTerms>, usage = million) => {
      const all = { ...standardTerms, ...terms };
      return "isStandardTier" in priceUsage({ model, usage, at, terms: all }, builtInCatalogue);
    };
    assert.equal(usd("claude-opus-4-6", { isOtherTier: true }), 7.5);
    assert.equal(marked("claude-opus-4-6", { isOtherTier: true }), true);
    assert.equal(marked("gpt-5.4-nano", { isFast: true }), true);
    assert.equal(usd("gpt-5.4-nano", { isFast: true }), usd("gpt-5.4-nano", {}));
    assert.equal(marked("gpt-5.5", { isFast: true }), true, "a large prompt");
    for (const terms of [{}, { isFast: true }, { isBatch: true }] as const)
      assert.equal(marked("gpt-6.1-sol", terms), false);
  });

  it("add searches of the web at one price for all models", () => {
    assert.equal(usd("claude-sonnet-4-5", { webSearches: 100 }, noUsage), 1);
    assert.equal(usd("claude-opus-4-6", { isFast: true, webSearches: 1 }), 45.01);
  });
});

describe("price of a response that sums up several calls", () => {
  it("is that of the largest prompt, not of their sum", () => {
    const usage = { ...noUsage, input: 270_000 };
    const early = Date.parse("2026-01-01");
    const price = (context?: number) => {
      const lastCall = context === undefined ? {} : { lastCall: { context, output: 1 } };
      return priceUsage({ model: "claude-sonnet-4-5", usage, at: early, ...lastCall }, builtInCatalogue).usd;
    };
    assert.equal(price(), 0.27 * 6);
    assert.equal(price(110_000), 0.27 * 3);
    assert.equal(price(210_000), 0.27 * 6);
  });
});
