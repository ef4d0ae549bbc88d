import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { justCompacted, statusText } from "../../../src/extension/sessions/status-text.ts";
import { measured, now, session, t, unknown } from "../support/session.ts";

const compaction = { trigger: "auto", preTokens: 167_000, postTokens: 8000 } as const;
const threshold = (value: number) => ({ value, provenance: "estimated", source: plainSentence("") }) as const;

const cases: readonly {
  name: string;
  changes: Partial<SessionSnapshot>;
  percentOf?: "compaction";
  saved?: number;
  text: string;
  look?: string;
}[] = [
  { name: "fine, with a forecast", changes: {}, text: "$(dashboard) 38% · ~14 turns" },
  {
    name: "it began with a handover",
    changes: { percent: 4 },
    saved: 0.7,
    text: "$(dashboard) 4% · saved ~$0.70",
  },
  { name: "fine, without one", changes: { turnsLeft: unknown }, text: "$(dashboard) 38%" },
  { name: "a forecast far off is no news", changes: { turnsLeft: threshold(120) }, text: "$(dashboard) 38%" },
  {
    name: "wrap up",
    changes: { percent: 55, advice: "WRAP_UP", turnsLeft: threshold(6) },
    text: "$(warning) 55% · ~6 turns",
    look: "warning",
  },
  {
    name: "end the turn",
    changes: { percent: 71, advice: "END_TURN", turnsLeft: threshold(1) },
    text: "$(error) 71% · <4 turns",
    look: "error",
  },
  {
    name: "compaction at any moment",
    changes: { percent: 83, advice: "END_TURN", turnsLeft: threshold(0) },
    text: "$(error) 83% · <4 turns",
    look: "error",
  },
  {
    name: "just compacted",
    changes: {
      percent: 4,
      occupancy: measured(8000),
      turnsLeft: unknown,
      lastCompaction: { ...compaction, at: now - 29_000 },
    },
    text: "$(fold) 4%",
  },
  {
    name: "compacted a while ago",
    changes: { percent: 4, turnsLeft: unknown, lastCompaction: { ...compaction, at: now - 31_000 } },
    text: "$(dashboard) 4%",
  },
  {
    name: "compacted, and nobody said to what",
    changes: {
      percent: null,
      occupancy: unknown,
      turnsLeft: unknown,
      lastCompaction: { ...compaction, at: now },
    },
    text: "$(fold)",
  },
  {
    name: "window unknown",
    changes: {
      window: unknown,
      percent: null,
      occupancy: measured(83_123),
      advice: null,
      turnsLeft: unknown,
    },
    text: "$(dashboard) 83k",
  },
  {
    name: "share of the room until compaction",
    changes: { turnsLeft: unknown },
    percentOf: "compaction",
    text: "$(dashboard) 46%",
  },
  {
    name: "share of the window when compaction is unknown",
    changes: { turnsLeft: unknown, threshold: unknown },
    percentOf: "compaction",
    text: "$(dashboard) 38%",
  },
  {
    name: "almost full is not full",
    changes: { percent: 99.9, turnsLeft: unknown },
    text: "$(dashboard) 99%",
  },
];

for (const { name, changes, percentOf, text, look, saved = null } of cases) {
  test(`the status bar: ${name}`, () => {
    const status = statusText(session(changes), { percentOf: percentOf ?? "window", saved, now, t });
    assert.equal(status.text, text);
    assert.equal(status.severity, look ?? "default");
  });
}

test("an ended session causes no alarm, pinned or not", () => {
  const ended = session({ percent: 71, advice: "END_TURN", live: false });
  assert.equal(statusText(ended, { percentOf: "window", now, t }).severity, "default");
});

test("a sign follows the figures when nothing is recorded, and a screen reader reads the reason", () => {
  const shown = statusText(session({}), { percentOf: "window", now, t, isLedgerLost: true });
  assert.equal(shown.text, "$(warning) 38% · not recorded");
  assert.match(shown.spoken, /, nothing is recorded: the ledger cannot be used$/u);
  assert.equal(shown.severity, "default");
});

test("a compaction is shown only for its time", () => {
  const compacted = (at: number | null) => session({ lastCompaction: { ...compaction, at } });
  assert.equal(justCompacted(compacted(now - 12_000), now), 12_000);
  assert.equal(justCompacted(compacted(now + 500), now), 0, "clocks differ");
  for (const none of [compacted(now - 30_000), compacted(null), session(), undefined])
    assert.equal(justCompacted(none, now), undefined);
});

test("a screen reader hears the same in a sentence", () => {
  const { spoken } = statusText(session({ percent: 71, advice: "END_TURN" }), {
    percentOf: "window",
    now,
    t,
  });
  assert.equal(
    spoken,
    "Context 76,000 of 200,000 · 71%, compaction in about 14 turns, End the turn: finish or hand over now.",
  );
});

test("a clock shows the last two minutes of the cache, and the next call's price afterwards, if chosen", () => {
  const at = (left: number) =>
    statusText(session({ cacheExpiresAt: now + left }), { percentOf: "window", cacheClock: true, now, t })
      .text;
  assert.equal(at(121_000), "$(dashboard) 38% · ~14 turns");
  assert.equal(at(119_000), "$(dashboard) 38% · $(clock) <2 min");
  assert.equal(at(-1000), "$(dashboard) 38% · next call $0.043");
});
