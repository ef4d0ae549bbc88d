import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  agentWindow,
  builtInCatalogue,
  type Catalogue,
  lookupModel,
} from "../../../src/engine/usage/catalogue/catalogue.ts";
import { withOverrides } from "../../../src/engine/usage/catalogue/catalogue-overrides.ts";
import type { ModelFacts } from "../../../src/engine/usage/catalogue/model-name.ts";
import { priceUsage, type Cost } from "../../../src/engine/usage/price.ts";
import { noUsage, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";

function overridden(overrides: unknown): Catalogue {
  const { catalogue, rejected } = withOverrides(builtInCatalogue, overrides);
  assert.deepEqual(rejected, []);
  return catalogue;
}

function facts(catalogue: Catalogue, id: string): ModelFacts {
  const found = lookupModel(catalogue, id);
  assert.ok(found, id);
  return found;
}

function cost(catalogue: Catalogue, model: string, usage: Partial<TokenUsage>): Cost {
  return priceUsage({ model, usage: { ...noUsage, ...usage }, at: null }, catalogue);
}

describe("the user's figures", () => {
  it("replace one rate at every prompt size and leave the others", () => {
    const catalogue = overridden({ "claude-haiku-5-5": { cacheRead: 7 } });
    assert.deepEqual(cost(catalogue, "claude-haiku-5-5", { cacheRead: 1_000_000 }), { usd: 7 });
    assert.deepEqual(cost(catalogue, "claude-haiku-5-5", { cacheRead: 50_000 }), { usd: 0.35 });
    assert.deepEqual(cost(catalogue, "claude-haiku-5-5", { output: 1_000_000 }), { usd: 0.5 });
    assert.equal(facts(catalogue, "claude-haiku-5-5").window, 1_000_000);
  });

  it("set the window an agent works in, and the long one under an id with [1m]", () => {
    const catalogue = overridden({
      "us.anthropic.claude-opus-4-8": { window: 200_000 },
      "claude-sonnet-4-6[1m]": { window: 500_000 },
    });
    const opus = facts(catalogue, "claude-opus-4-8");
    assert.equal(agentWindow(opus, { long: false }), 200_000);
    assert.equal(agentWindow(opus, { long: true }), 1_000_000);
    const sonnet = facts(catalogue, "claude-sonnet-4-6");
    assert.equal(agentWindow(sonnet, { long: false }), 200_000);
    assert.equal(agentWindow(sonnet, { long: true }), 500_000);
    assert.equal(sonnet.window, 500_000);
  });

  it("define a new model as far as they are given", () => {
    const catalogue = overridden({
      "My-Gateway/Local-Model": { input: 0, output: 0 },
      other: { window: 32_000 },
    });
    assert.deepEqual(cost(catalogue, "local-model", { input: 5, output: 5 }), { usd: 0 });
    assert.deepEqual(cost(catalogue, "local-model", { cacheRead: 5 }), {
      usd: null,
      reason: "unknown_price",
    });
    assert.equal(facts(catalogue, "local-model").window, null);
    assert.equal(facts(catalogue, "other").window, 32_000);
    assert.deepEqual(cost(catalogue, "other", { input: 5 }), { usd: null, reason: "unknown_price" });
  });

  it("for two ids of one model both apply", () => {
    const catalogue = overridden({ "claude-opus-5": { input: 1 }, "claude-opus-5[1m]": { output: 2 } });
    assert.deepEqual(cost(catalogue, "claude-opus-5", { input: 1_000_000, output: 1_000_000 }), { usd: 3 });
  });

  it("with errors are reported, and the others apply", () => {
    const { catalogue, rejected } = withOverrides(builtInCatalogue, {
      "claude-opus-5": { input: -1 },
      "claude-opus-4-8": { window: 1.5 },
      "claude-opus-4-7": { inputs: 1 },
      "claude-opus-4-6": 5,
      " ": { input: 1 },
      "claude-sonnet-5": { input: 9 },
    });
    assert.deepEqual(
      rejected.map(({ model }) => model),
      ["claude-opus-5", "claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6", " "],
    );
    assert.match(rejected[0]?.problem.text ?? "", /^input: /u);
    assert.deepEqual(cost(catalogue, "claude-opus-5", { input: 1_000_000 }), { usd: 5 });
    assert.deepEqual(cost(catalogue, "claude-sonnet-5", { input: 1_000_000 }), { usd: 9 });
  });

  it("leave the original catalogue unchanged", () => {
    const before = structuredClone(builtInCatalogue.models);
    overridden({ "claude-opus-5": { input: 1, window: 3 } });
    assert.deepEqual(builtInCatalogue.models, before);
  });

  it("may be any value", () => {
    fc.assert(
      fc.property(fc.anything(), (overrides) => {
        assert.ok(withOverrides(builtInCatalogue, overrides).catalogue.models.length > 0);
      }),
    );
    const entry = fc.oneof(fc.anything(), fc.record({ window: fc.anything(), input: fc.double() }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), entry), (overrides) => {
        assert.ok(withOverrides(builtInCatalogue, overrides).catalogue.models.length > 0);
      }),
    );
  });
});
