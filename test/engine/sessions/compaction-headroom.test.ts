import { plainSentence } from "../../../src/engine/base/language.ts";
import { unsetAgentSettings } from "../../../src/engine/transcripts/live-reader.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  compactionThreshold,
  headroom,
  learnThresholds,
  thresholdKey,
  type LearnedThreshold,
  type ObservedCompaction,
  type ThresholdInput,
} from "../../../src/engine/sessions/compaction-headroom.ts";
import { observedIn } from "../../../src/engine/sessions/learn.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { unknownFigure, type Figure } from "../../../src/engine/usage/token-counts.ts";
import { accountOf, describeSession } from "./support/describe.ts";
import { claudeAgent } from "./support/live-agent.ts";
import { at, compaction, response, sonnet, type Row } from "./support/rows.ts";

function window(value: number): Figure {
  return { value, provenance: "estimated", source: plainSentence("a test") };
}

function thresholdOf(reported: Partial<ThresholdInput>) {
  return compactionThreshold({
    agent: "claude-code",
    usualThreshold: claudeAgent.reader.usualThreshold,
    model: sonnet,
    window: window(200_000),
    maxOutput: 128_000,
    config: unsetAgentSettings,
    learned: new Map(),
    fallback: null,
    ...reported,
  });
}

function tokensOf(reported: Partial<ThresholdInput>): number | null {
  return thresholdOf(reported).figure.value;
}

function observedAt(preTokens: number, minute: number, reported: Partial<ObservedCompaction> = {}) {
  return {
    agent: "claude-code" as const,
    model: sonnet,
    window: 200_000,
    preTokens,
    at: at(minute),
    ...reported,
  };
}

/** Compactions in sequence. */
function observedAll(tokens: readonly number[]): ObservedCompaction[] {
  return tokens.map((preTokens, minute) => observedAt(preTokens, minute));
}

function learnedFor(observed: readonly ObservedCompaction[], size = 200_000): LearnedThreshold | undefined {
  return learnThresholds(observed).get(thresholdKey({ agent: "claude-code", model: sonnet, window: size }));
}

describe("the rule for automatic compaction", () => {
  it("leaves room for the answer and a margin", () => {
    assert.equal(tokensOf({}), 167_000);
    assert.equal(tokensOf({ window: window(1_000_000) }), 967_000);
    assert.equal(thresholdOf({}).figure.provenance, "estimated");
    assert.equal(tokensOf({ maxOutput: 8192 }), 178_808);
    assert.equal(tokensOf({ maxOutput: null }), 167_000);
    assert.equal(tokensOf({ config: { ...unsetAgentSettings, maxOutputTokens: 4000 } }), 183_000);
  });

  it("follows the agent's settings, and begins no later than its own rule", () => {
    const set = (compactAt: number, reported: Partial<ThresholdInput> = {}) =>
      thresholdOf({ config: { ...unsetAgentSettings, compactAt }, ...reported }).figure;
    const source = "the agent's settings";
    assert.deepEqual(set(90_000), { value: 90_000, provenance: "official", source });
    assert.deepEqual(set(90_000, { window: unknownFigure(plainSentence("none yet")) }).value, 90_000);
    assert.deepEqual([set(180_000).value, set(180_000).provenance], [167_000, "estimated"]);
    assert.equal(set(180_000, { usualThreshold: () => null }).value, 180_000);
  });

  it("is only lowered by a percentage", () => {
    const lowered = (compactPercent: number) =>
      tokensOf({ config: { ...unsetAgentSettings, compactPercent } });
    assert.deepEqual([70, 83, 84, 100].map(lowered), [126_000, 149_400, 151_200, 167_000]);
  });

  it("uses a smaller window set for the agent, never a larger one", () => {
    const reported = (autoCompactWindow: number) =>
      tokensOf({ config: { ...unsetAgentSettings, autoCompactWindow } });
    assert.equal(reported(150_000), 117_000);
    assert.equal(reported(500_000), 167_000);
    const both = { ...unsetAgentSettings, autoCompactWindow: 150_000, compactPercent: 50 };
    assert.equal(tokensOf({ config: both }), 65_000);
  });

  it("has no threshold for models that the agent never compacts by itself, unless a smaller window is set", () => {
    const none = /only when the API refuses a request/u;
    for (const model of ["claude-sonnet-4-5", "claude-haiku-4-5-20251001", "claude-sonnet-4-5[1m]"]) {
      const learned = new Map([
        [thresholdKey({ agent: "claude-code", model, window: 200_000 }), { tokens: 199_056, samples: 1 }],
      ]);
      for (const each of [{}, { learned }, { window: window(1e6) }, { fallback: 150_000 }]) {
        const { figure } = thresholdOf({ model, ...each });
        assert.equal(figure.value, null);
        assert.match(figure.source.text, none);
      }
      const config = { ...unsetAgentSettings, autoCompactWindow: 150_000 };
      assert.equal(tokensOf({ model, config }), 117_000);
    }
  });

  it("is measured against the window that the agent assumes for a model it does not know", () => {
    const config = { ...unsetAgentSettings, assumedWindow: 1_000_000 };
    const unknown = { model: "quay-1", isKnownModel: false, maxOutput: null, config };
    assert.equal(tokensOf({ ...unknown, window: window(1_000_000) }), 967_000);
    const { figure } = thresholdOf({ ...unknown, window: window(128_000) });
    assert.equal(figure.value, null);
    assert.match(figure.source.text, /CLAUDE_CODE_MAX_CONTEXT_TOKENS/u);
    const reported = { ...config, maxContextTokens: 128_000 };
    assert.equal(tokensOf({ ...unknown, window: window(128_000), config: reported }), 95_000);
    const smaller = { ...config, autoCompactWindow: 100_000 };
    assert.equal(tokensOf({ ...unknown, window: window(128_000), config: smaller }), 67_000);
  });

  it("is a percentage of the window minus the reserve for the answer", () => {
    const config = { ...unsetAgentSettings, compactPercent: 50 };
    assert.equal(tokensOf({ window: window(1_000_000), config }), 490_000);
  });

  it("has no threshold when automatic compaction is off, or when the window is unknown and the user set none", () => {
    const off = { ...unsetAgentSettings, autoCompact: false };
    assert.match(thresholdOf({ config: off, fallback: 150_000 }).figure.source.text, /is off/u);
    assert.equal(tokensOf({ window: unknownFigure(plainSentence("")) }), null);
    const own = thresholdOf({ window: unknownFigure(plainSentence("")), fallback: 150_000 });
    assert.deepEqual(own.figure, { value: 150_000, provenance: "official", source: "your setting" });
    assert.equal(tokensOf({ fallback: 150_000 }), 167_000, "the setting is the last resort");
  });
});

describe("a learned threshold", () => {
  const learned = new Map([
    [thresholdKey({ agent: "claude-code", model: sonnet, window: 200_000 }), { tokens: 160_000, samples: 7 }],
  ]);

  it("takes precedence over the rule, with the number of compactions it was learned from", () => {
    assert.deepEqual(thresholdOf({ learned }), {
      figure: { value: 160_000, provenance: "measured", source: "learned from 7 of yours" },
      samples: 7,
    });
  });

  it("applies to its model and window only", () => {
    assert.equal(tokensOf({ learned, window: window(1_000_000) }), 967_000);
    assert.equal(tokensOf({ learned, model: "claude-opus-4-6" }), 167_000);
  });

  it("does not apply where the agent has another trigger set", () => {
    assert.equal(tokensOf({ learned, config: { ...unsetAgentSettings, compactPercent: 50 } }), 90_000);
    assert.equal(
      tokensOf({ learned, config: { ...unsetAgentSettings, autoCompactWindow: 150_000 } }),
      117_000,
    );
    assert.equal(tokensOf({ learned, config: { ...unsetAgentSettings, autoCompact: false } }), null);
  });

  it("is a low quantile of the compactions of one model in one window", () => {
    const same = observedAll([170_000, 166_000, 168_000, 169_000, 167_000]);
    const others = [observedAt(1000, 9, { model: "claude-opus-4-6" }), observedAt(2000, 9, { window: 1e6 })];
    assert.deepEqual(learnedFor([...same, ...others]), { tokens: 166_400, samples: 5 });
    assert.deepEqual(learnedFor(others, 1e6), { tokens: 2000, samples: 1 });
    assert.equal(learnedFor([]), undefined);
  });

  it("uses only the latest thirty", () => {
    const old = Array.from({ length: 30 }, (_, minute) => observedAt(100_000 + minute, minute));
    const recent = Array.from({ length: 30 }, (_, minute) => observedAt(167_000, 100 + minute));
    assert.deepEqual(learnedFor([...recent, ...old]), { tokens: 167_000, samples: 30 });
    assert.deepEqual(learnedFor([...old, ...recent]), { tokens: 167_000, samples: 30 });
  });

  it("counts a fork's copies once", () => {
    const parent = [observedAt(167_000, 1), observedAt(169_000, 2)];
    assert.equal(learnedFor([...parent, ...parent])?.samples, 2);
    const elsewhere = observedAt(167_000, 1, { window: 1e6 });
    assert.equal(learnedFor([...parent, elsewhere], 1e6), undefined, "the first report counts");
  });

  it("lies between the smallest and the largest observed size, whatever their order", () => {
    const tokens = fc.uniqueArray(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(tokens, (seen) => {
        const found = learnedFor(observedAll(seen));
        assert.ok(found !== undefined);
        assert.ok(found.tokens >= Math.min(...seen) && found.tokens <= Math.max(...seen));
        const turned = observedAll(seen).toReversed();
        assert.deepEqual(learnedFor(turned), found);
      }),
    );
  });
});

describe("compactions to learn from", () => {
  function observed(...rows: readonly Row[]): ObservedCompaction[] {
    return observedIn("claude-code", accountOf(rows).main, {
      config: unsetAgentSettings,
      catalogue: builtInCatalogue,
    });
  }
  const answer = response({ id: "a", input: 150_000 });

  it("are automatic ones with a known size of the context", () => {
    assert.deepEqual(observed(answer, compaction({ minute: 3, pre: 167_100 })), [
      { agent: "claude-code", model: sonnet, window: 200_000, preTokens: 167_100, at: at(3) },
    ]);
    assert.deepEqual(observed(answer, compaction({ trigger: "manual", pre: 90_000 })), []);
    assert.deepEqual(observed(answer, compaction({ trigger: "tide", pre: 90_000 })), []);
    assert.deepEqual(observed(answer, compaction({})), []);
    assert.deepEqual(observed(compaction({ pre: 167_100 })), [], "an unknown model");
  });

  it("have a full window: not an idle session, and not a summary made in advance", () => {
    const large = response({ id: "a", minute: 1, input: 210_000, model: "claude-sonnet-5-5" });
    const idle = compaction({ minute: 55, pre: 210_020 });
    const soon = compaction({ minute: 50, pre: 210_020 });
    const notice = (content: string): Row => ({
      type: "system",
      subtype: "informational",
      level: "notice",
      content,
    });
    const advance = { ...soon, compactMetadata: { trigger: "auto", preTokens: 960_000, precomputed: true } };
    assert.deepEqual(observed(large, idle), [], "54 minutes after the last response");
    assert.equal(observed(large, soon).length, 1);
    assert.deepEqual(observed(large, advance), []);
    for (const text of [
      "Compacted while idle, before the prompt cache expired",
      "Compacted using a summary written while you were away",
      'Turn off with "idleCompaction": false in settings.json',
    ])
      assert.deepEqual(observed(large, soon, notice(text)), [], text);
    assert.equal(observed(large, soon, notice("A newer version is out")).length, 1);
    assert.equal(observed(large, compaction({ minute: 99, pre: 967_100 })).length, 1, "full after a pause");
    const back = compaction({ minute: -90, pre: 210_020 });
    assert.equal(observed(large, back).length, 1, "a clock that was set back is not evidence");
    const two = observed(large, idle, compaction({ minute: 56, pre: 210_020 }));
    assert.deepEqual(two, [], "nothing was answered in between");
  });

  it("belong to the model and window of their time, not of today", () => {
    const switched = response({ id: "b", input: 9000, model: "claude-sonnet-5" });
    const long = response({ id: "c", input: 9000, requested: `${sonnet}[1m]` });
    const first = compaction({ minute: 3, pre: 167_100 });
    const second = compaction({ minute: 9, pre: 967_200 });
    assert.deepEqual(
      observed(answer, first, switched, second, long).map((each) => [each.model, each.window]),
      [
        [sonnet, 200_000],
        ["claude-sonnet-5", 1_000_000],
      ],
    );
    assert.equal(observed(answer, first, long)[0]?.window, 200_000);
  });

  it("are those of the main chain only", () => {
    const account = accountOf([answer]);
    account.subagent("a1").chain.apply({
      kind: "compaction",
      compaction: { trigger: "auto", preTokens: 50_000, postTokens: 1, at: null },
    });
    assert.deepEqual(
      observedIn("claude-code", account.main, { config: unsetAgentSettings, catalogue: builtInCatalogue }),
      [],
    );
  });
});

describe("headroom", () => {
  it("is the distance to the threshold, with the last answer included", () => {
    const { headroom: room } = describeSession([response({ id: "a", input: 100_000, output: 2000 })]);
    assert.deepEqual(room, { value: 65_000, provenance: "estimated", source: "the agent's usual rule" });
  });

  it("is never below zero", () => {
    const { figure } = thresholdOf({});
    assert.equal(headroom(window(500_000), { figure, samples: 0 }).value, 0);
  });

  it("is unknown while the carried tokens are unknown, with the reason", () => {
    assert.equal(
      describeSession([]).headroom.source,
      "neither a compaction of yours nor the window is known",
    );
    const compacted = [response({ id: "a", input: 100_000 }), compaction({ pre: 100_000 })];
    assert.equal(describeSession(compacted).headroom.source, "just compacted; the next response will tell");
    const reported = [...compacted, compaction({ pre: 100_000, post: 3000 })];
    assert.equal(describeSession(reported).headroom.value, 164_000);
  });
});
