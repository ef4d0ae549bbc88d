import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { agentWindow, builtInCatalogue, lookupModel } from "../../../src/engine/usage/catalogue/catalogue.ts";
import type { ModelFacts } from "../../../src/engine/usage/catalogue/model-name.ts";
import { generateCatalogue, generatedFile } from "../../../scripts/catalogue/catalogue.ts";

function facts(id: string): ModelFacts {
  const found = lookupModel(builtInCatalogue, id);
  assert.ok(found, id);
  return found;
}

describe("the generated catalogue", () => {
  it("equals the pinned packages and the supplement", async () => {
    const { text } = await generateCatalogue();
    assert.equal(readFileSync(generatedFile, "utf8"), text, "run `npm run generate -- catalogue`");
  });

  it("is small enough to bundle", () => {
    assert.ok(readFileSync(generatedFile).length < 60_000);
  });

  it("has prices that begin at the beginning, in order, with no stub of 0", () => {
    for (const { id, prices } of builtInCatalogue.models) {
      const dates = prices.map(({ from }) => from);
      assert.deepEqual(dates, [null, ...dates.slice(1).toSorted()], id);
      for (const price of prices) {
        const tiers = price.tiers ?? [];
        const sizes = tiers.map(({ abovePromptTokens }) => abovePromptTokens);
        assert.deepEqual(
          sizes,
          sizes.toSorted((a, b) => a - b),
          id,
        );
        for (const { input, output, cacheWrite5m, cacheWrite1h, cacheRead } of [price, ...tiers]) {
          assert.ok(input !== null && output !== null, id);
          for (const rate of [input, output, cacheWrite5m, cacheWrite1h, cacheRead])
            assert.notEqual(rate, 0, id);
        }
      }
    }
  });

  it("has every rate of a current Claude model", () => {
    for (const { id, prices } of builtInCatalogue.models) {
      if (!/^claude-[a-z]/u.test(id)) continue;
      for (const price of prices) {
        for (const { cacheWrite5m, cacheWrite1h, cacheRead } of [price, ...(price.tiers ?? [])]) {
          assert.ok(cacheWrite5m !== null && cacheWrite1h !== null && cacheRead !== null, id);
        }
      }
    }
  });
});

describe("a model's window", () => {
  const native = [
    "claude-fable-5",
    "claude-fable-5-1",
    "claude-fable-5-2",
    "claude-sonnet-5",
    "claude-sonnet-5-5",
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-opus-5",
    "claude-opus-5-5",
    "claude-haiku-5-5",
  ];
  const onRequest = ["claude-opus-4-6", "claude-sonnet-4-6", "claude-sonnet-4-5", "claude-sonnet-4"];
  const small = [
    "claude-haiku-4-5",
    "claude-opus-4-5",
    "claude-opus-4-1",
    "claude-opus-4",
    "claude-3-5-haiku",
  ];

  it("is a million for those with a native one", () => {
    for (const id of native) {
      assert.equal(agentWindow(facts(id), { long: false }), 1_000_000, id);
      assert.equal(agentWindow(facts(id), { long: true }), 1_000_000, id);
    }
  });

  it("is a million only on request for some", () => {
    for (const id of onRequest) {
      assert.equal(agentWindow(facts(id), { long: false }), 200_000, id);
      assert.equal(agentWindow(facts(id), { long: true }), 1_000_000, id);
      assert.equal(facts(id).window, 1_000_000, id);
    }
  });

  it("is 200k for the rest", () => {
    for (const id of small) {
      assert.equal(agentWindow(facts(id), { long: true }), 200_000, id);
      assert.equal(facts(id).longWindow, null, id);
    }
  });

  it("of another provider's model is the API's", () => {
    assert.equal(agentWindow(facts("gpt-5.3-codex"), { long: false }), 400_000);
    assert.equal(facts("gemini-3.1-pro-preview").window, 1_048_576);
    assert.equal(facts("gpt-5.4").maxOutput, 128_000);
  });
});

describe("looking a model up", () => {
  it("finds it by any of its names", () => {
    assert.equal(facts("us.anthropic.claude-opus-4-6-v1:0").id, "claude-opus-4-6");
    assert.equal(facts("Anthropic/Claude-Sonnet-5.5[1m]").id, "claude-sonnet-5-5");
    assert.equal(facts("gpt-5.1-codex-max").id, "gpt-5.1");
    assert.equal(facts("gpt-5.6").id, "gpt-5.6-sol");
  });

  it("never takes an unknown name for a known one", () => {
    for (const id of [
      "claude-opus-4-10",
      "claude-sonnet-5-5-5",
      "claude-sonnet",
      "claude-opus-5-5-fast",
      "gpt-5.33",
    ]) {
      assert.equal(lookupModel(builtInCatalogue, id), undefined, id);
    }
    for (const id of ["", "<synthetic>", "constructor", "__proto__"]) {
      assert.equal(lookupModel(builtInCatalogue, id), undefined, id);
    }
    assert.equal(facts("claude-sonnet-5-5").id, "claude-sonnet-5-5");
    assert.equal(facts("claude-sonnet-5").id, "claude-sonnet-5");
  });

  it("does not match a name with any addition", () => {
    const ids = builtInCatalogue.models.map(({ id }) => id);
    const known = new Set(builtInCatalogue.models.flatMap(({ id, aliases }) => [id, ...aliases]));
    // Copilot's own name.
    known.add("claude-opus-41");
    const more = fc.stringMatching(/^(?:-[b-hj-z]{2,8}|-?[1-9]{1,3}|\.[1-9])$/u);
    fc.assert(
      fc.property(fc.constantFrom(...ids), more, (id, suffix) => {
        const longer = id + suffix;
        const found = lookupModel(builtInCatalogue, longer);
        assert.ok(found === undefined || known.has(longer) || known.has(longer.replaceAll(".", "-")), longer);
      }),
    );
  });

  it("gives the same answer on every call, for any text", () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        assert.equal(lookupModel(builtInCatalogue, id), lookupModel(builtInCatalogue, id));
      }),
      { numRuns: 2_500 },
    );
    assert.equal(facts("claude-opus-5").id, "claude-opus-5");
  });
});
