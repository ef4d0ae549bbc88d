import { plainSentence } from "../../../src/engine/base/language.ts";
import { unsetAgentSettings, type AgentSettings } from "../../../src/engine/transcripts/live-reader.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { contextWindow, type WindowEvidence } from "../../../src/engine/sessions/window.ts";
import { builtInCatalogue, type Catalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { catalogueWith, describeSession } from "./support/describe.ts";
import { compaction, officialTotal, request, response, sonnet, type Row } from "./support/rows.ts";

interface Evidence extends Partial<WindowEvidence> {
  readonly config?: Partial<AgentSettings>;
  readonly catalogue?: Catalogue;
}

function windowFor({ config, catalogue = builtInCatalogue, ...evidence }: Evidence) {
  const known = { model: sonnet, requested: [], betas: [], largest: 1, ...evidence };
  return contextWindow({ ...known, catalogue, config: { ...unsetAgentSettings, ...config } });
}

function windowAfter(...rows: readonly Row[]) {
  return describeSession(rows).window;
}

describe("the window in the agent's settings", () => {
  const long = { value: 1_000_000, provenance: "official" } as const;
  const windowSet = (model: string, more: Evidence = {}) => {
    const { value, provenance } = windowFor({ ...more, config: { model, ...more.config } });
    return { value, provenance };
  };

  it("is the long one of the model or of its family", () => {
    for (const model of [`${sonnet}[1m]`, "sonnet[1m]"]) assert.deepEqual(windowSet(model), long);
  });

  it("is not another model's, nor one without [1m], nor a disabled one", () => {
    const usual = { value: 200_000, provenance: "estimated" } as const;
    for (const model of ["opus[1m]", "claude-sonnet-4-5[1m]", "sonnet", sonnet, "[1m]", ""])
      assert.deepEqual(windowSet(model), usual, model);
    assert.equal(windowSet("sonnet[1m]", { config: { longContextOff: true } }).value, 200_000);
  });

  it("yields to the transcript's evidence", () => {
    assert.equal(windowSet("sonnet[1m]", { requested: [sonnet] }).value, 200_000);
  });
});

describe("the window of an agent that has windows of its own", () => {
  const config = { usesCatalogueWindows: false };
  const reported = { tokens: 258_400, source: plainSentence("its file") };

  it("is the one it names, even when a response outgrew it", () => {
    const named = { value: 258_400, provenance: "official", source: plainSentence("its file") };
    assert.deepEqual(windowFor({ config, reported }), named);
    assert.deepEqual(windowFor({ config, reported, largest: 264_000 }), named);
    assert.equal(windowFor({ reported: { ...reported, tokens: 100_000 }, largest: 150_000 }).value, 200_000);
  });

  it("is unknown before it names one, unless the user did", () => {
    assert.equal(windowFor({ config }).value, null);
    const catalogue = catalogueWith({ [sonnet]: { window: 300_000 } });
    assert.equal(windowFor({ config, reported, catalogue }).value, 300_000);
  });
});

describe("the window proved by a transcript", () => {
  it("is the long one when a response names its model with [1m], as gateways do", () => {
    for (const model of [
      "claude-sonnet-4-5[1m]",
      "claude-sonnet-4-5-20250929[1m]",
      `anthropic/${sonnet}[1m]`,
    ]) {
      const { window, threshold } = describeSession([response({ id: "a", input: 9, model })]);
      assert.deepEqual([window.value, window.provenance], [1_000_000, "official"], model);
      assert.ok((threshold.value ?? 1e6) > 200_000, model);
    }
  });

  it("is the long one when the agent requested the model with [1m]", () => {
    assert.deepEqual(windowAfter(response({ id: "a", input: 9, requested: `${sonnet}[1m]` })), {
      value: 1_000_000,
      provenance: "official",
      source: `the transcript: the agent asked for ${sonnet}[1m]`,
    });
  });

  it("is shown by an attachment before the first response", () => {
    const identity = { modelId: `${sonnet}[1m]` };
    const window = windowAfter(
      { type: "attachment", attachment: { type: "model", identity } },
      response({ id: "a", input: 9 }),
    );
    assert.equal(window.value, 1_000_000);
  });

  it("compares names as the catalogue does: dates, regions and case do not matter", () => {
    for (const requested of ["claude-sonnet-4-5[1m]", "us.anthropic.Claude-Sonnet-4-5-20250929-v1:0[1m]"])
      assert.equal(
        windowFor({ model: "claude-sonnet-4-5-20250929", requested: [requested] }).value,
        1_000_000,
      );
  });

  it("is shown by the key of the agent's running total", () => {
    const rows = [response({ id: "a", input: 9 }), officialTotal(1, { [`${sonnet}[1m]`]: 9 })];
    assert.equal(windowAfter(...rows).value, 1_000_000);
    assert.equal(windowAfter(...rows).provenance, "official");
  });

  it("is not the total's when the rows, which show the present, differ", () => {
    const total = officialTotal(1, { [`${sonnet}[1m]`]: 5, [sonnet]: 9 });
    const long = response({ id: "a", input: 5, requested: `${sonnet}[1m]` });
    const plain = response({ id: "b", input: 9, requested: sonnet });
    assert.equal(windowAfter(long, plain, total).value, 200_000);
    assert.equal(windowAfter(total, long).value, 1_000_000);
  });

  it("is shown by the 1M beta of the requests, while no row names the requested model", () => {
    const long = request("claude-sonnet-4-5", ["context-1m-2025-08-07"]);
    const answer = response({ id: "a", input: 9, model: "claude-sonnet-4-5-20250929" });
    assert.equal(windowAfter(long, answer).source, "the transcript: requests carry the 1M beta");
    const plain = request("claude-sonnet-4-5", ["oauth"]);
    assert.equal(windowAfter(long, answer, plain).value, 200_000, "the last request counts");
    const asked = response({ id: "b", input: 9, requested: sonnet });
    assert.equal(windowAfter(request(sonnet, ["context-1m-2025-08-07"]), asked).value, 200_000);
  });

  it("is at least as large as a response", () => {
    const window = windowFor({ largest: 200_001 });
    assert.deepEqual([window.value, window.provenance], [1_000_000, "measured"]);
    assert.equal(windowFor({ largest: 200_000 }).value, 200_000);
  });

  it("is never a million for a model without such a window", () => {
    const window = windowFor({ model: "claude-haiku-4-5", largest: 300_000 });
    assert.deepEqual([window.value, window.provenance], [200_000, "estimated"]);
  });

  it("is unchanged when a response exceeds any window: that is a sum", () => {
    const window = windowFor({ model: "claude-sonnet-5", largest: 1_200_000 });
    assert.deepEqual([window.value, window.provenance], [1_000_000, "estimated"]);
  });

  it("applies to its own model only, and again when the model returns", () => {
    const long = response({ id: "a", input: 9, requested: `${sonnet}[1m]` });
    const other = response({ id: "b", input: 9, model: "claude-haiku-4-5" });
    const back = response({ id: "c", input: 9 });
    assert.equal(windowAfter(long, other).value, 200_000);
    assert.equal(windowAfter(long, other, back).value, 1_000_000);
  });

  it("is unknown before the first response, and for an unknown model", () => {
    assert.equal(windowAfter().source, "no response yet");
    const unknown = windowAfter(response({ id: "a", input: 9, model: "quay-1" }));
    assert.deepEqual([unknown.value, unknown.provenance], [null, "unknown"]);
    assert.match(unknown.source.text, /"quay-1".*purser\.models/u);
  });

  it("of an unknown model is a million when it was requested with [1m]", () => {
    assert.equal(windowFor({ model: "quay-1", requested: ["quay-1[1m]"] }).value, 1_000_000);
  });

  it("is still known after a compaction", () => {
    const window = windowAfter(response({ id: "a", input: 9, requested: `${sonnet}[1m]` }), compaction());
    assert.equal(window.value, 1_000_000);
  });
});

describe("the window set by the user", () => {
  const catalogue = catalogueWith({
    [sonnet]: { window: 150_000 },
    "claude-opus-4-6[1m]": { window: 500_000 },
    "claude-sonnet-5": { window: 300_000 },
    "quay-1": { window: 32_000 },
    "quay-2": { input: 1 },
  });

  it("is official, and the user's own", () => {
    assert.deepEqual(windowFor({ catalogue }), {
      value: 150_000,
      provenance: "official",
      source: "your setting",
    });
    assert.deepEqual(windowFor({ catalogue, model: "quay-1" }).source, "your setting");
  });

  it("overrides the agent's settings", () => {
    const config = { longContextOff: true, maxContextTokens: 64_000 };
    assert.equal(windowFor({ catalogue, config, model: "claude-sonnet-5" }).value, 300_000);
    assert.equal(windowFor({ catalogue, config, model: "quay-1" }).value, 32_000);
  });

  it("yields to the transcript's evidence", () => {
    assert.equal(windowFor({ catalogue, requested: [`${sonnet}[1m]`] }).value, 1_000_000);
    assert.equal(windowFor({ catalogue, largest: 150_001 }).value, 1_000_000);
    const grown = windowFor({ catalogue, model: "quay-1", largest: 40_000 });
    assert.equal(grown.value, 32_000, "no larger window of this model is known");
  });

  it("of the long window counts when the long one is proved", () => {
    const requested = ["claude-opus-4-6[1m]"];
    const window = windowFor({ catalogue, model: "claude-opus-4-6", requested });
    assert.deepEqual([window.value, window.provenance], [500_000, "official"]);
    assert.match(window.source.text, /^your setting; the transcript:/u);
    const plain = windowFor({ catalogue, model: "claude-opus-4-6" });
    assert.deepEqual([plain.value, plain.provenance], [200_000, "estimated"]);
  });

  it("is unknown when the user set only a price", () => {
    assert.equal(windowFor({ catalogue, model: "quay-2" }).value, null);
  });
});

describe("the window set by the agent's settings", () => {
  it("is 200k if they turn the 1M window off, unless a response was larger", () => {
    const config = { longContextOff: true };
    const off = windowFor({ model: "claude-sonnet-5", config });
    assert.deepEqual([off.value, off.provenance], [200_000, "official"]);
    assert.equal(windowFor({ model: "claude-sonnet-5", config, largest: 200_001 }).value, 1_000_000);
    assert.equal(windowFor({ config }).provenance, "estimated", "this model had 200k anyway");
    assert.equal(windowFor({ config, requested: [`${sonnet}[1m]`] }).value, 1_000_000);
  });

  it("counts for unknown models, as in the agent itself", () => {
    const config = { maxContextTokens: 128_000 };
    assert.equal(windowFor({ model: "quay-1", config }).value, 128_000);
    assert.equal(windowFor({ config }).value, 200_000);
  });
});

describe("the window the agent assumes for a model it does not know", () => {
  it("is estimated, with advice, and disproved by a larger response", () => {
    const assumed = windowFor({ model: "quay-1", config: { assumedWindow: 1_000_000 } });
    assert.deepEqual([assumed.value, assumed.provenance], [1_000_000, "estimated"]);
    assert.match(assumed.source.text, /"quay-1".*purser\.models.*CLAUDE_CODE_MAX_CONTEXT_TOKENS/u);
    const config = { assumedWindow: 200_000 };
    assert.equal(windowFor({ model: "quay-1", config, largest: 200_000 }).value, 200_000);
    assert.equal(windowFor({ model: "quay-1", config, largest: 200_001 }).value, null);
    assert.equal(
      windowFor({ model: "quay-1", config: { ...config, maxContextTokens: 300_000 } }).value,
      300_000,
    );
    assert.equal(
      windowFor({ config: { assumedWindow: 1_000_000 } }).value,
      200_000,
      "of unknown models only",
    );
  });
});

describe("any evidence", () => {
  it("gives a positive window or none, and never throws", () => {
    const name = fc.oneof(fc.constantFrom(sonnet, `${sonnet}[1m]`, "claude-haiku-5-5"), fc.string());
    const evidence = fc.record({
      model: name,
      requested: fc.array(name),
      betas: fc.array(fc.oneof(fc.constant("context-1m-x"), fc.string())),
      largest: fc.nat(3_000_000),
    });
    fc.assert(
      fc.property(evidence, (reported) => {
        const { value, provenance } = windowFor(reported);
        assert.equal(value === null, provenance === "unknown");
        assert.ok(value === null || value > 0);
      }),
    );
  });
});
