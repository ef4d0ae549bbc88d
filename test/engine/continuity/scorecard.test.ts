import assert from "node:assert/strict";
import fc from "fast-check";
import test from "node:test";
import { it } from "node:test";
import { scorecard } from "../../../src/engine/continuity/continuity-answers.ts";
import { scorecardOf, scorecardEntryOf, shownScorecard } from "../../../src/engine/continuity/scorecard.ts";
import { keepScorecards, type KeepingPorts } from "../../../src/engine/continuity/host/keep-scorecard.ts";
import type { SessionFigures } from "../../../src/engine/ledger/continuity-questions.ts";
import { packetOf } from "./packet-fixture.ts";
import { succeed } from "../../../src/engine/base/result.ts";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import { defaults as defaultSettings } from "../../../src/engine/settings/shape.ts";
import { appendEntries, open, response } from "../ledger/support/support.ts";
import { waitUntil } from "../support/wait-until.ts";
import { scratchFolder } from "../support/scratch.ts";

const own: SessionFigures = {
  id: "s",
  program: "claude-code",
  project: "/argo",
  prompts: 5,
  completed: 4,
  processing: 40_000,
  sent: 200_000,
  cacheRead: 180_000,
  usd: 0.8,
  unpriced: 0,
  reads: 10,
  rereads: 3,
  judgedCalls: 20,
  failedCalls: 2,
  compactions: 1,
  loops: 2,
  edited: 4,
  verified: 3,
  savedBytes: 12_000,
  handedTokens: 117_000,
  packetTokens: 88_000,
};
const other = (changes: Partial<SessionFigures> = {}): SessionFigures => ({ ...own, id: "o", ...changes });
const measureOf = (card: ReturnType<typeof scorecardOf>, name: string) =>
  card.measures.find((measure) => measure.name === name);
const card = (others: readonly SessionFigures[], figures = own) =>
  scorecardOf({ own: figures, others, charactersPerToken: [] }, packetOf());

it("A session is compared with the median of the others, per measure", () => {
  const others = [1000, 9000, 5000, 3000, 7000].map((tokens) => other({ processing: tokens * 4 }));
  const made = card([...others, other({ completed: 0 })]);
  assert.deepEqual(measureOf(made, "tokens"), {
    name: "tokens",
    value: 10_000,
    usual: 5000,
    range: [1000, 9000],
  });
  assert.deepEqual(
    made.measures.map(({ value }) => value),
    [10_000, 0.2, 0.9, 0.3, 0.1, 2, 1, 0.25],
  );
  assert.partialDeepStrictEqual(made, {
    basis: { of: "project", sessions: 6 },
    edits: { edited: 4, verified: 3 },
    savedByGuards: 3000,
    savedByHandover: 117_000,
    savedByPacket: 88_000,
    done: ["Edited src/login.ts; its tests passed"],
  });
});

it("The same project is preferred, then the same agent; fewer than five sessions give no median", () => {
  const here = Array.from({ length: 4 }, () => other());
  const elsewhere = other({ project: "/colchis" });
  assert.equal(card(here).basis, null);
  assert.equal(measureOf(card(here), "cache")?.usual, null);
  assert.deepEqual(card([...here, elsewhere]).basis, { of: "agent", sessions: 5 });
  assert.deepEqual(card([...here, other(), elsewhere]).basis, { of: "project", sessions: 5 });
  const nowhere = { ...own, project: null };
  assert.equal(
    card(
      Array.from({ length: 5 }, () => other({ project: null })),
      nowhere,
    ).basis?.of,
    "agent",
  );
});

it("A missing measure is unknown, never 0: prompts, prices, reads, edits", () => {
  const silent = card([], {
    ...own,
    completed: 0,
    unpriced: 1,
    reads: 0,
    rereads: 0,
    judgedCalls: 0,
    failedCalls: 0,
    sent: 0,
    loops: null,
    edited: null,
    verified: null,
    savedBytes: 0,
    handedTokens: null,
    packetTokens: -5,
  });
  assert.deepEqual(
    silent.measures.map(({ value }) => value),
    [null, null, null, null, null, null, 1, null],
  );
  const { edits, savedByGuards, savedByHandover, savedByPacket } = silent;
  assert.deepEqual([edits, savedByGuards, savedByHandover, savedByPacket], [null, null, null, null]);
});

it("An ended session is shown as of its end, until it continues", () => {
  const others = Array.from({ length: 5 }, (_, place) => other({ processing: 4000 * (place + 1) }));
  const answer = { own, others, charactersPerToken: [] };
  const long = packetOf({
    done: Array.from({ length: 20 }, (_, turn) => ({ turn, text: `${turn}${"d".repeat(290)}` })),
  });
  const entry = scorecardEntryOf(scorecardOf(answer, long), 7);
  assert.partialDeepStrictEqual(entry, { kind: "scorecard", sessionId: "s", at: 7 });
  const kept = entry.kind === "scorecard" ? (entry.card ?? null) : null;
  // The transcript, the packet and the sessions of that time are gone.
  const later = { ...answer, others: [] };
  const then = shownScorecard(later, { packet: null, kept });
  assert.deepEqual([measureOf(then, "tokens")?.usual, then.basis?.sessions, then.done.length], [3000, 5, 12]);
  assert.match(then.done.at(-1) ?? "", /^19d/u);
  const on = { ...later, own: { ...own, prompts: 6 } };
  assert.equal(shownScorecard(on, { packet: null, kept }).basis, null);
  for (const bad of [null, "", "{", "{}", "[]", kept?.slice(1) ?? ""])
    assert.deepEqual(shownScorecard(later, { packet: null, kept: bad }), scorecardOf(later, null));
});

const count = fc.nat({ max: 1000 });
const figures: fc.Arbitrary<SessionFigures> = fc
  .record({
    all: fc.array(count, { minLength: 12, maxLength: 12 }),
    project: fc.constantFrom("/argo", "/b", null),
    told: fc.boolean(),
  })
  .map(
    ({
      all: [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0],
      project,
      told,
    }) => ({
      ...own,
      project,
      prompts: a + b,
      completed: b,
      processing: c,
      sent: d + e,
      cacheRead: e,
      usd: told ? f / 100 : null,
      unpriced: told ? 0 : g,
      reads: g + h,
      rereads: h,
      judgedCalls: i + j,
      failedCalls: j,
      compactions: k,
      loops: told ? l : null,
      edited: told ? a + c : null,
      verified: told ? c : null,
    }),
  );

it("Whatever sessions came to, medians lie within their range, shares within 0 and 1, and order changes nothing", () => {
  fc.assert(
    fc.property(figures, fc.array(figures, { maxLength: 12 }), (one, others) => {
      const made = scorecard.parse(card(others, one));
      for (const { name, value, usual, range } of made.measures) {
        assert.equal(usual === null, range === null);
        if (usual !== null && range !== null) assert.ok(range[0] <= usual && usual <= range[1]);
        if (["cache", "rereads", "failures", "unverified"].includes(name) && value !== null)
          assert.ok(value >= 0 && value <= 1);
      }
      assert.deepEqual(card(others.toReversed(), one), card(others, one));
    }),
  );
});

const prompt: LedgerEntry = {
  kind: "run",
  id: "s 1",
  sessionId: "s",
  agent: "main",
  input: 0,
  output: 0,
  cacheCreation: 0,
  cacheRead: 0,
  completed: true,
};

test("A scorecard is stored at the session's end, once the ledger is complete, and shown unchanged", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const waiting: (() => void)[] = [];
  const settings = { ...defaultSettings };
  const failed: string[] = [];
  const ports: KeepingPorts = {
    ledger: {
      ask: (name, params) => Promise.resolve(succeed(ledger.ask(name, params))),
      append: (entries) => ledger.append(entries),
      catchUp: async () => {
        // The end of the transcript is read only now.
        await appendEntries(ledger, response(1, { sessionId: "s" }), prompt);
        return succeed({ freshness: { asOf: 1, files: 1, done: 1, problems: [] } });
      },
    },
    settings: { of: () => settings },
    packetOf: () => Promise.resolve(packetOf()),
    now: () => 9,
    afterEnd: (run) => void waiting.push(run),
    onProblem: (message) => void failed.push(message),
  };
  const handler = keepScorecards(ports);
  const kept = () => ledger.ask("storedScorecard", "s");
  const end = (more: object = {}) => {
    assert.equal(handler.answer({ hook_event_name: "SessionEnd", session_id: "s", ...more }), null);
    for (const run of waiting.splice(0)) run();
  };
  const shown = () => {
    const figures = ledger.ask("sessionFigures", "s");
    assert.ok(figures !== null);
    return shownScorecard(figures, { packet: null, kept: kept() });
  };
  end({ agent_id: "sub" });
  assert.equal(ledger.ask("sessionFigures", "s"), null, "a subagent's end is no session's");
  end();
  await waitUntil(() => kept() !== null);
  const { prompts, done, open: left } = shown();
  assert.deepEqual(
    [prompts, done, left.length],
    [1, packetOf().done.map(({ text }) => text), packetOf().open.length],
  );
  settings.continuityPackets = false;
  const before = kept();
  end();
  await waitUntil(() => kept() !== before);
  assert.deepEqual(shown().done, [], "the text of packets is not kept where packets are off");
  assert.deepEqual(failed, []);
  const broken = keepScorecards({ ...ports, packetOf: () => Promise.reject(new Error("no disk")) });
  settings.continuityPackets = true;
  void broken.answer({ hook_event_name: "SessionEnd", session_id: "s" });
  for (const run of waiting.splice(0)) run();
  await waitUntil(() => failed.length > 0);
  assert.match(failed.join(), /no disk/u);
});
