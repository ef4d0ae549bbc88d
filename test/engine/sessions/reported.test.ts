import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { HookSession, type SessionEvent } from "../../../src/engine/sessions/reported.ts";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { anyRow } from "./support/arbitrary-rows.ts";
import { accountOf, catalogueWith, describeSession, applyRows } from "./support/describe.ts";
import { at, compaction, response, sessionId, type Row } from "./support/rows.ts";

type Reported = readonly (readonly [minute: number, news: SessionEvent])[];

function reportedOf(reported: Reported): HookSession {
  const session = new HookSession(sessionId);
  for (const [minute, event] of reported)
    session.apply({ sessionId, at: at(minute), transcript: null, cwd: null, event });
  return session;
}

function described(rows: readonly Row[], reported: Reported): SessionSnapshot {
  return describeSession(rows, { hookSession: reportedOf(reported) });
}

const began: SessionEvent = { kind: "began", how: "resume", model: "claude-sonnet-4-6", carried: 80_000 };
const compacting: SessionEvent = { kind: "compacting" };
const compacted: SessionEvent = { kind: "compacted" };
const measured: Extract<SessionEvent, { kind: "measured" }> = {
  kind: "measured",
  model: "claude-sonnet-4-6",
  window: 200_000,
  occupancy: 90_000,
  source: plainSentence("the agent's status line"),
  planLimits: [],
  cache: null,
};

describe("a compaction that hooks announced", () => {
  const working: Reported = [
    [1, { kind: "prompted" }],
    [2, { kind: "stopped", message: null }],
    [60, compacting],
  ];
  const stateAt = (minute: number, reported: Reported, rows: readonly Row[] = []) =>
    describeSession(rows, { hookSession: reportedOf(reported), now: at(minute) }).activity?.state;

  it("is shown during its maximum duration, and no longer", () => {
    assert.equal(stateAt(61, working), "compacting");
    assert.equal(stateAt(71, working), "waiting");
    assert.equal(stateAt(-500, working), "waiting", "the clock was set back");
  });

  it("is over once the transcript continues, or its summary was made", () => {
    assert.equal(stateAt(62, working, [response({ id: "a", minute: 61, input: 9 })]), "waiting");
    assert.equal(stateAt(62, working, [compaction({ minute: 61 })]), "waiting");
    assert.equal(stateAt(62, working, [response({ id: "a", minute: 59, input: 9 })]), "compacting");
    const summary: SessionEvent = { kind: "subagent-ended", agentId: "s", type: null };
    assert.equal(stateAt(61, [...working, [61, summary]]), "waiting");
    assert.equal(stateAt(62, [...working, [61, summary], [62, compacted]]), "waiting");
    const other: SessionEvent = { kind: "subagent-began", agentId: "s", type: "Explore" };
    assert.equal(
      stateAt(61, [...working.slice(0, 2), [59, other], ...working.slice(2), [61, summary]]),
      "compacting",
    );
  });

  it("leaves a session waiting or working, as it was before", () => {
    const again: SessionEvent = { kind: "began", how: "compact", model: null, carried: null };
    const summary: SessionEvent = { kind: "subagent-ended", agentId: "s", type: null };
    const prompted: SessionEvent = { kind: "prompted" };
    const over: Reported = [
      [61, again],
      [61, compacted],
    ];
    assert.equal(stateAt(62, [...working, ...over]), "waiting", "/compact, or an idle session");
    assert.equal(stateAt(62, [...working, [61, summary], ...over]), "waiting");
    assert.equal(stateAt(62, [[1, prompted], [60, compacting], ...over]), "working", "within a turn");
    assert.equal(
      stateAt(62, [...working, [60, summary], [61, prompted], ...over]),
      "working",
      "made in advance",
    );
    assert.equal(stateAt(62, over), "working", "nothing else is known");
  });

  it("twice in a row restores the activity before both", () => {
    assert.equal(stateAt(80, [...working, [62, compacting]]), "waiting");
  });
});

describe("facts reported by hooks", () => {
  it("are known before there is a transcript, as official", () => {
    const { model, occupancy, percent, activity } = described([], [[1, began]]);
    assert.deepEqual([model, percent, activity?.state], ["claude-sonnet-4-6", 40, "starting"]);
    assert.deepEqual([occupancy.value, occupancy.provenance], [80_000, "official"]);
  });

  it("yield to a later response, and to the same figure in the transcript", () => {
    const later = described([response({ id: "a", minute: 2, input: 10_000 })], [[1, began]]);
    assert.deepEqual([later.occupancy.value, later.occupancy.provenance], [10_000, "measured"]);
    const same = described([response({ id: "a", input: 79_000, output: 1000 })], [[1, began]]);
    assert.deepEqual([same.occupancy.value, same.occupancy.provenance], [79_000, "measured"]);
  });

  it("make the next call's price official, by the agent's figures for its cache", () => {
    const rows = [response({ id: "a", minute: 1, read: 80_000, write5m: 9000, output: 1000 })];
    const cache = { isWarm: true, isLong: false, expiresAt: at(6), tokens: 89_000 };
    const priceAt = (minute: number, reported: Reported) => {
      const { nextCall } = describeSession(rows, { hookSession: reportedOf(reported), now: at(minute) });
      return [Math.round((nextCall.value ?? 0) * 1e6) / 1e6, nextCall.provenance];
    };
    // $3 per million: cache reads at a tenth, writes at 1.25 times.
    assert.deepEqual(priceAt(2, [[1.1, { ...measured, cache }]]), [0.03045, "official"]);
    assert.deepEqual(priceAt(6, [[1.1, { ...measured, cache }]]), [0.3375, "official"]);
    assert.deepEqual(priceAt(2, [[1.1, { ...measured, cache: { ...cache, isWarm: false } }]]), [
      0.3375,
      "official",
    ]);
    const long = { ...cache, isLong: true, expiresAt: null };
    assert.deepEqual(priceAt(50, [[1.1, { ...measured, cache: long }]]), [0.0327, "official"]);
    assert.deepEqual(
      priceAt(2, [[0.9, { ...measured, cache }]]),
      [0.027, "estimated"],
      "a response came later",
    );
    assert.equal(
      priceAt(2, [
        [1.1, { ...measured, cache }],
        [1.2, compacting],
        [1.3, compacted],
      ])[1],
      "unknown",
    );
  });

  it("are not a context of zero tokens, which the status line reports after a compaction", () => {
    const rows = [response({ id: "a", minute: 1, input: 90_000 })];
    const zero = described(rows, [[2, { ...measured, occupancy: 0 }]]);
    assert.equal(zero.occupancy.value, 90_000);
    const compactedBefore = described(rows, [
      [2, compacting],
      [3, compacted],
      [3.1, { ...measured, occupancy: 0 }],
    ]);
    assert.notEqual(compactedBefore.occupancy.value, 0);
  });

  it("include the new model after a change, and its window", () => {
    const rows = [response({ id: "a", input: 79_000, output: 1000 })];
    const switched: SessionEvent = { kind: "switched", model: "claude-sonnet-4-6[1m]", carried: 80_000 };
    const { model, window, percent } = described(rows, [[1, switched]]);
    assert.deepEqual([model, window.value, percent], ["claude-sonnet-4-6", 1_000_000, 7.9]);
  });

  it("count a compaction once, whether its row comes or not", () => {
    const before = response({ id: "a", minute: 1, input: 150_000 });
    const reported: Reported = [
      [2, compacting],
      [3, compacted],
      [3, { ...began, how: "compact", carried: null }],
    ];
    const none = describeSession([before], {
      hookSession: reportedOf(reported.slice(0, 1)),
      now: at(3),
    });
    assert.deepEqual(
      [none.compactions, none.occupancy.value, none.activity?.state],
      [0, 150_000, "compacting"],
    );
    const atOnce = described([before], reported);
    assert.deepEqual([atOnce.compactions, atOnce.occupancy.value, atOnce.advice], [1, null, null]);
    const boundary = compaction({ minute: 2.5, pre: 150_000, post: 20_000 });
    const followed = described([before, boundary], reported);
    assert.deepEqual([followed.compactions, followed.occupancy.value], [1, 20_000]);
    const after = response({ id: "b", minute: 4, input: 30_000 });
    assert.equal(described([before, boundary, after], reported).compactions, 1);
    assert.equal(described([before, after], reported).compactions, 0);
  });

  it("leave compactions to the transcript while subagents work: they may be theirs", () => {
    const subagent: SessionEvent = { kind: "subagent-began", agentId: "a1", type: "Explore" };
    const rows = [response({ id: "a", minute: 1, input: 150_000 })];
    const { compactions, occupancy, subagents } = described(rows, [
      [1, subagent],
      [2, compacting],
      [3, compacted],
    ]);
    assert.deepEqual([compactions, occupancy.value], [0, 150_000]);
    assert.deepEqual(
      subagents.map(({ id, type, tokens }) => [id, type, tokens]),
      [["a1", "Explore", 0]],
    );
  });

  it("show a subagent before its file exists, once, and not after its end", () => {
    const event: Reported = [[1, { kind: "subagent-began", agentId: "a1", type: "Explore" }]];
    const account = accountOf([response({ id: "a", minute: 1, input: 1000 })]);
    const reported = reportedOf(event);
    const now = at(2);
    assert.equal(describeSession(account, { hookSession: reported, now }).subagents[0]?.running, true);
    applyRows(account, [response({ id: "s", minute: 1.5, input: 700, sidechain: true })], "a1");
    const [only, ...others] = describeSession(account, { hookSession: reported, now }).subagents;
    assert.deepEqual([only?.running, only?.tokens, others.length], [true, 700, 0]);
    const end: SessionEvent = { kind: "subagent-ended", agentId: "a1", type: null };
    reported.apply({ sessionId, at: at(2), transcript: null, cwd: null, event: end });
    assert.equal(describeSession(account, { hookSession: reported, now }).subagents[0]?.running, false);
    const helper: SessionEvent = { kind: "subagent-ended", agentId: "summary", type: null };
    assert.deepEqual(described([], [[1, helper]]).subagents, []);
  });

  it("use the status line's window unless the user or a response differs", () => {
    const rows = [response({ id: "a", minute: 1, input: 90_000 })];
    const reported = reportedOf([[2, { ...measured, window: 100_000 }]]);
    const { occupancy, window, percent } = describeSession(rows, { hookSession: reported });
    assert.deepEqual(
      [occupancy.provenance, window.value, window.provenance],
      ["official", 100_000, "official"],
    );
    assert.equal(percent, 90);
    const catalogue = catalogueWith({ "claude-sonnet-4-6": { window: 300_000 } });
    assert.equal(describeSession(rows, { hookSession: reported, catalogue }).window.value, 300_000);
    const larger = [response({ id: "a", minute: 1, input: 150_000 })];
    assert.equal(describeSession(larger, { hookSession: reported }).window.value, 200_000);
  });

  it("do not return to a figure of a response before the last, which arrived late", () => {
    const rows = [
      response({ id: "a", minute: 1, input: 90_000 }),
      response({ id: "b", minute: 2, input: 95_000 }),
    ];
    assert.equal(described(rows, [[3, measured]]).occupancy.value, 95_000);
  });

  it("include how a turn ended", () => {
    const stopped = described([], [[1, { kind: "stopped", message: "All \u001b[31mdone" }]]);
    assert.deepEqual([stopped.activity?.state, stopped.activity?.lastMessage], ["waiting", "All done"]);
    const failed = described([], [[1, { kind: "failed", error: "rate_limit", message: "no" }]]);
    assert.deepEqual([failed.activity?.state, failed.activity?.error], ["failed", "rate_limit"]);
  });

  it("change no count of tokens, turns or cost, whatever they are", () => {
    const text = fc.option(fc.string(), { nil: null });
    const tokens = fc.option(fc.integer(), { nil: null });
    const news: fc.Arbitrary<SessionEvent> = fc.oneof(
      fc.record({
        kind: fc.constant("began" as const),
        how: fc.constantFrom("compact", "resume", null),
        model: text,
        carried: tokens,
      }),
      fc.record({ kind: fc.constant("switched" as const), model: text, carried: tokens }),
      fc.record({
        kind: fc.constant("measured" as const),
        model: text,
        window: tokens,
        occupancy: tokens,
        source: fc.string().map(plainSentence),
        planLimits: fc.constant([]),
        cache: fc.option(
          fc.record({
            isWarm: fc.boolean(),
            isLong: fc.boolean(),
            expiresAt: tokens,
            tokens: fc.nat(),
          }),
          { nil: null },
        ),
      }),
      fc.record({ kind: fc.constant("failed" as const), error: text, message: text }),
      fc.record({
        kind: fc.constantFrom("subagent-began" as const, "subagent-ended" as const),
        agentId: fc.string(),
        type: text,
      }),
      fc.record({
        kind: fc.constantFrom(
          "prompted" as const,
          "compacting" as const,
          "compacted" as const,
          "ended" as const,
        ),
      }),
    );
    const reported = fc.array(fc.tuple(fc.double({ min: -5, max: 70, noNaN: true }), news), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), reported, (rows, all) => {
        const plain = describeSession(rows);
        const { usage, turns, prompts, cost, toolCalls, percent, occupancy } = described(rows, all);
        assert.deepEqual(
          [usage, turns, prompts, cost, toolCalls],
          [plain.usage, plain.turns, plain.prompts, plain.cost, plain.toolCalls],
        );
        assert.ok(percent === null || (percent >= 0 && percent <= 100));
        assert.ok(occupancy.value === null || occupancy.value > 0);
      }),
    );
  });
});
