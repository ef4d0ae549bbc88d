import { unsetAgentSettings, type AgentSettings } from "../../../src/engine/transcripts/live-reader.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { defaultContextSettings } from "../../../src/engine/settings/contexts.ts";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { anyRow } from "./support/arbitrary-rows.ts";
import { accountOf, describeSession, applyRows } from "./support/describe.ts";
import { at, compaction, officialTotal, prompt, response, sonnet, type Row } from "./support/rows.ts";

/** A session with this occupancy in a 200,000 window. */
function holding(tokens: number): Row[] {
  return [response({ id: `m${tokens}`, input: tokens })];
}

describe("percent and advice", () => {
  it("agree as the status bar shows them", () => {
    const table: readonly (readonly [number, number, string])[] = [
      [76_000, 38, "CONTINUE"],
      [99_000, 49.5, "CONTINUE"],
      [122_000, 61, "CONTINUE"],
      [132_000, 66, "CONTINUE"],
      [134_000, 67, "WRAP_UP"],
      [152_000, 76, "WRAP_UP"],
      [154_000, 77, "END_TURN"],
      [200_000, 100, "END_TURN"],
    ];
    for (const [tokens, percent, advice] of table) {
      const session = describeSession(holding(tokens));
      assert.deepEqual([session.percent, session.advice], [percent, advice]);
    }
  });

  it("stay within 100 if a sum exceeds the window", () => {
    const rows = [response({ id: "a", input: 1_200_000, model: "claude-sonnet-5" })];
    assert.deepEqual([describeSession(rows).percent, describeSession(rows).advice], [100, "END_TURN"]);
  });

  it("are unknown while the window, or the size after a compaction, is unknown", () => {
    const unknown = describeSession([response({ id: "a", input: 83_000, model: "quay-1" })]);
    assert.deepEqual([unknown.percent, unknown.advice, unknown.occupancy.value], [null, null, 83_000]);
    const compacted = describeSession([...holding(83_000), compaction({})]);
    assert.deepEqual([compacted.percent, compacted.advice], [null, null]);
    assert.deepEqual([describeSession([]).percent, describeSession([]).advice], [null, null]);
  });

  it("follow the user's thresholds", () => {
    const settings = { ...defaultContextSettings, wrapUpAt: 20, endTurnAt: 10 };
    const advised = (tokens: number) => describeSession(holding(tokens), { settings }).advice;
    assert.deepEqual([150_000, 160_000, 181_000].map(advised), ["CONTINUE", "WRAP_UP", "END_TURN"]);
  });

  it("differ if the agent compacts in a smaller window: that one runs out first", () => {
    const advised = (config: Partial<AgentSettings>) =>
      describeSession(holding(60_000), { config: { ...unsetAgentSettings, ...config } }).advice;
    assert.equal(advised({}), "CONTINUE");
    assert.equal(advised({ autoCompactWindow: 100_000 }), "WRAP_UP");
    assert.equal(advised({ autoCompactWindow: 500_000 }), "CONTINUE");
    assert.equal(advised({ autoCompactWindow: 100_000, autoCompact: false }), "CONTINUE");
  });

  it("hesitate to become calmer, but not after a compaction", () => {
    const thresholds = { wrapUpAt: 50, endTurnAt: 40 };
    const settings = { ...defaultContextSettings, ...thresholds };
    const previous = { advice: "END_TURN" as const, compactions: 0, subagents: [], thresholds };
    assert.equal(describeSession(holding(118_000), { previous, settings }).advice, "END_TURN");
    assert.equal(describeSession(holding(112_000), { previous, settings }).advice, "WRAP_UP");
    const compacted = [...holding(170_000), compaction({ post: 118_000 })];
    assert.equal(describeSession(compacted, { previous, settings }).advice, "WRAP_UP");
    const answered = [...holding(170_000), compaction({ post: 900 }), ...holding(98_000)];
    assert.equal(describeSession(answered, { previous, settings }).advice, "CONTINUE");
    const other = { ...settings, endTurnAt: 39 };
    assert.equal(describeSession(holding(121_000), { previous, settings: other }).advice, "WRAP_UP");
  });

  it("are a subagent's own, by the thresholds of its session, with a hesitation of its own", () => {
    const account = accountOf(holding(20_000));
    applyRows(account, [response({ id: "s1", input: 135_000 })], "a1");
    const described = (previous?: SessionSnapshot) => {
      const { subagents, ...session } = describeSession(account, { previous });
      return { session, of: subagents[0], whole: { ...session, subagents } };
    };
    const first = described();
    assert.deepEqual([first.session.advice, first.of?.advice], ["CONTINUE", "WRAP_UP"]);
    applyRows(account, [response({ id: "s2", input: 131_000 })], "a1");
    assert.equal(described(first.whole).of?.advice, "WRAP_UP");
    assert.equal(described().of?.advice, "CONTINUE");
    const settings = { ...defaultContextSettings, wrapUpAt: 60, endTurnAt: 55 };
    assert.equal(describeSession(account, { settings }).subagents[0]?.advice, "END_TURN");
    applyRows(account, [compaction({ minute: 5, pre: 131_000, post: 900 })], "a1");
    const compacted = described(first.whole).of;
    assert.deepEqual([compacted?.advice, compacted?.compactions], ["CONTINUE", 1]);
  });
});

describe("a threshold", () => {
  it("is met exactly: at 55 percent used 45 remain, not a hair less", () => {
    const settings = { ...defaultContextSettings, wrapUpAt: 50, endTurnAt: 45 };
    assert.equal(describeSession(holding(110_000), { settings }).advice, "WRAP_UP");
  });
});

describe("a compaction in a snapshot", () => {
  const rows = [...holding(150_000), compaction({ minute: 2, pre: 150_000, post: 4000 })];

  it("shows the size it left, as the agent reported it, until the next response", () => {
    const compacted = describeSession(rows);
    assert.deepEqual(compacted.occupancy, {
      value: 4000,
      provenance: "official",
      source: "what the agent said the compaction left",
    });
    assert.deepEqual([compacted.percent, compacted.advice, compacted.compactions], [2, "CONTINUE", 1]);
    assert.deepEqual(compacted.lastCompaction, {
      trigger: "auto",
      preTokens: 150_000,
      postTokens: 4000,
      at: at(2),
    });
    assert.equal(describeSession([...rows, ...holding(22_000)]).percent, 11);
  });
});

describe("a model switched during a session", () => {
  it("uses its own window, threshold and price at once", () => {
    const rows = [...holding(150_000), response({ id: "b", read: 150_000, model: "claude-sonnet-5" })];
    const { model, window, percent, advice, threshold, nextCall } = describeSession(rows, { now: at(1) });
    assert.deepEqual([model, window.value, percent, advice], ["claude-sonnet-5", 1_000_000, 15, "CONTINUE"]);
    assert.deepEqual([threshold.value, nextCall.value], [967_000, 0.03]);
  });
});

describe("the agent's own total", () => {
  const first = response({ id: "a", minute: 1, input: 100_000 });
  const later = response({ id: "b", minute: 20, input: 100_000 });
  const difference = (session: SessionSnapshot) => {
    const value = session.official?.difference.value;
    return value === undefined || value === null ? value : Math.round(value * 1e6) / 1e6;
  };

  it("is absent until the agent writes one", () => {
    assert.equal(describeSession([first]).official, null);
  });

  it("agrees if every call has its row", () => {
    const { official } = describeSession([first, officialTotal(0.3, { [sonnet]: 100_000 })]);
    assert.deepEqual(official?.usd, {
      value: 0.3,
      provenance: "official",
      source: "the agent's own running total",
    });
    assert.deepEqual([official.usage.input, official.isOld], [100_000, false]);
    assert.equal(official.difference.value, 0);
  });

  it("agrees despite sums of fractions", () => {
    const rows = ["a", "b", "c"].map((id) => response({ id, minute: 1, input: 100_000 }));
    assert.notEqual(describeSession(rows).cost.value, 0.9);
    assert.equal(describeSession([...rows, officialTotal(0.9)]).official?.difference.value, 0);
  });

  it("differs by calls without a row: the summary request of a compaction", () => {
    const session = describeSession([first, compaction({ minute: 2, post: 900 }), officialTotal(0.36)]);
    assert.equal(difference(session), 0.06);
    assert.equal(session.official?.difference.provenance, "estimated");
  });

  it("is compared only with the rows before it", () => {
    const session = describeSession([first, officialTotal(0.3), prompt(19), later]);
    assert.deepEqual([difference(session), session.official?.isOld], [0, true]);
    assert.equal(session.cost.value, 0.6);
  });

  it("is the last one: it continues over resumes", () => {
    const session = describeSession([
      first,
      officialTotal(0.3),
      prompt(19),
      later,
      officialTotal(0.6),
      officialTotal(0.6),
    ]);
    assert.deepEqual([difference(session), session.official?.usd.value], [0, 0.6]);
  });

  it("counts subagents' responses, whichever file is read first", () => {
    const subagent = response({ id: "s", minute: 2, input: 100_000, sidechain: true });
    const rows = [first, officialTotal(0.6), prompt(19), later];
    const after = accountOf(rows);
    applyRows(after, [subagent], "a1");
    const before = accountOf([]);
    applyRows(before, [subagent], "a1");
    applyRows(before, rows);
    for (const account of [after, before]) assert.equal(difference(describeSession(account)), 0);
  });

  it("of a fork begins at its parent's, so the copies count", () => {
    const copy = response({ id: "p", minute: 1, input: 100_000, copiedFrom: "another" });
    const session = describeSession([prompt(10), copy, later, officialTotal(0.6)]);
    assert.deepEqual([difference(session), session.cost.value], [0, 0.3]);
  });

  it("cannot be compared if one model has no price", () => {
    const unpriced = response({ id: "u", input: 5, model: "quay-1" });
    const { official } = describeSession([first, unpriced, officialTotal(0.3)]);
    assert.deepEqual([official?.usd.value, official?.difference.value], [0.3, null]);
  });
});

describe("any session", () => {
  it("is described in plain data, and each figure is a number", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 25 }), (rows) => {
        const session = describeSession(rows);
        assert.deepEqual(structuredClone(session), session);
        JSON.stringify(session, (key, value: unknown) => {
          if (typeof value === "number") assert.ok(Number.isFinite(value), key);
          return value;
        });
        assert.ok(session.percent === null || (session.percent >= 0 && session.percent <= 100));
        assert.ok((session.headroom.value ?? 0) >= 0);
        assert.equal(session.advice === null, session.percent === null);
      }),
      { numRuns: 200 },
    );
  });
});
