import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cacheWeights, normalizedInput } from "../../../../src/engine/recurring/figures/normalized.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { priceUsage } from "../../../../src/engine/usage/price.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";

test("Normalized input costs, as plain input, what input, cache writes and reads cost", () => {
  const model = "claude-sonnet-4-5";
  const weights = cacheWeights(model, builtInCatalogue);
  assert.deepEqual(
    [weights.write5m, weights.write1h, weights.read].map((weight) => weight.toFixed(6)),
    ["1.250000", "2.000000", "0.100000"],
  );
  const tokens = fc.nat(20_000);
  fc.assert(
    fc.property(
      fc.record({ input: tokens, cacheCreation5m: tokens, cacheCreation1h: tokens, cacheRead: tokens }),
      (some) => {
        const usage = { ...noUsage, ...some };
        const price = (each: typeof usage) =>
          priceUsage({ model, usage: each, at: null }, builtInCatalogue).usd ?? NaN;
        const plain = price({ ...noUsage, input: normalizedInput(usage, weights) });
        assert.ok(Math.abs(plain - price(usage)) < 3e-6);
      },
    ),
  );
});

test("A model of unknown price has Anthropic's weights", () => {
  assert.deepEqual(cacheWeights("no-such-model", builtInCatalogue), { write5m: 1.25, write1h: 2, read: 0.1 });
});
