import assert from "node:assert/strict";
import test from "node:test";
import { effectsForgotten, learnEffectiveness } from "../../../../src/engine/continuity/learn/conclusion.ts";
import { storeOf } from "../../continuity/learn/world.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open } from "../support/support.ts";

const learned = (id: string, project = "/shop"): LedgerEntry => ({
  kind: "learned",
  id,
  task: "ClusterErrors",
  project,
  text: `npm fails ${id}`,
  sessions: 2,
  times: 3,
  good: 0,
  at: 5,
});
const hit = (id: string, sessionId: string, at: number): LedgerEntry => ({
  kind: "guard-hit",
  id,
  sessionId,
  at,
  rule: "known-fix",
  family: "learned",
  action: "advise",
  done: "advised",
});
const outcome = (id: string, sessionId: string, came: "followed" | "ignored"): LedgerEntry => ({
  kind: "guard-outcome",
  id,
  source: "calls",
  sessionId,
  rule: "known-fix",
  family: "learned",
  done: "advised",
  outcome: came,
  at: 9,
});

test("Learned facts have the user's decision, the number of uses and their outcomes", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    learned("a"),
    learned("b", "/other"),
    { kind: "learned-mark", id: "a", state: "edited", text: "Run npm ci first.", at: 6 },
    { kind: "learned-use", id: "a", sessionId: "one", rule: "known-fix", at: 7 },
    { kind: "learned-use", id: "a", sessionId: "two", rule: "known-fix", at: 8 },
    { kind: "learned-use", id: "a", sessionId: "three", rule: "known-fix", at: 9 },
    outcome("h1", "one", "followed"),
    outcome("h2", "two", "ignored"),
  );
  const [row] = ledger.ask("learnedBook", "/shop").learned;
  assert.deepEqual(ledger.ask("learnedBook", null).learned.length, 2);
  assert.deepEqual(ledger.ask("learnedBook", "/shop").learned.length, 1);
  assert.deepEqual(row?.mark, { state: "edited", text: "Run npm ci first.", at: 6 });
  assert.deepEqual(
    { uses: row.uses, usedAt: row.usedAt, helped: row.helped, failed: row.failed },
    { uses: 3, usedAt: 9, helped: 1, failed: 1 },
  );
});

test("A removed fact is gone with its uses, and stays gone when the ledger is opened again; marks stay", async (t) => {
  const folder = scratchFolder(t);
  const before = await open(t, folder);
  await appendEntries(
    before,
    learned("a"),
    learned('it\'s "b"'),
    { kind: "learned-mark", id: "a", state: "forgotten", at: 6 },
    { kind: "unlearn", table: "learned", ids: JSON.stringify(["a", "unknown"]) },
    { kind: "unlearn", table: "events", ids: "no JSON" },
  );
  await before.close();
  const after = await open(t, folder);
  assert.deepEqual(
    after.ask("learnedBook", null).learned.map(({ id }) => id),
    ['it\'s "b"'],
  );
  await appendEntries(after, learned("a"));
  assert.equal(after.ask("learnedBook", null).learned[0]?.mark?.state, "forgotten");
});

test("Advice is counted by the phase of the work in which it was sent", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const state = (turn: number, at: number, phase: string): LedgerEntry => ({
    kind: "session-state",
    sessionId: "s",
    turn,
    at,
    phase,
    trust: 90,
    focus: 90,
    calls: 1,
    errors: 0,
    switches: 0,
    deadEnds: 0,
    edited: 0,
    verified: 0,
  });
  await appendEntries(
    ledger,
    state(1, 10, "Exploring"),
    state(2, 20, "Late"),
    hit("h1", "s", 12),
    hit("h2", "s", 25),
    hit("h3", "s", 5),
    outcome("h1", "s", "followed"),
    outcome("h2", "s", "ignored"),
    outcome("h3", "s", "ignored"),
  );
  assert.deepEqual(ledger.ask("phaseOutcomes", null), [
    { subject: "known-fix", phase: "", helped: 0, failed: 1 },
    { subject: "known-fix", phase: "Exploring", helped: 1, failed: 0 },
    { subject: "known-fix", phase: "Late", helped: 0, failed: 1 },
  ]);
});

test("packets, lost facts and handovers helped if the current prompt was completed", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const sent = (
    id: string,
    sessionId: string,
    at: number,
    rule: string,
    injectedChars = 80,
  ): LedgerEntry => ({
    kind: "hook-event",
    id,
    sessionId,
    at,
    event: "SessionStart",
    rule,
    injectedChars,
  });
  const run = (id: string, sessionId: string, endedAt: number, completed: boolean): LedgerEntry => ({
    kind: "run",
    id,
    sessionId,
    agent: "main",
    endedAt,
    input: 1,
    output: 1,
    cacheCreation: 0,
    cacheRead: 0,
    completed,
  });
  await appendEntries(
    ledger,
    run("r0", "a", 5, false),
    sent("t1", "a", 10, "resume-offer"),
    run("r1", "a", 20, true),
    sent("t2", "a", 25, "lost-facts"),
    run("r2", "a", 30, false),
    run("r3", "a", 40, true),
    sent("t3", "a", 50, "resume-packet"),
    sent("t4", "b", 1, "resume-offer", 0),
    sent("t5", "b", 1, "known-fix"),
    { kind: "handover", id: "h1", sessionId: "a", state: "taken", toSession: "b", takenAt: 2 },
    run("r4", "b", 9, true),
  );
  assert.deepEqual(ledger.ask("phaseOutcomes", null), [
    { subject: "handover", phase: "", helped: 1, failed: 0 },
    { subject: "lost-facts", phase: "", helped: 0, failed: 1 },
    { subject: "resume-offer", phase: "", helped: 0, failed: 1 },
  ]);
});

test("An offer helped if it was accepted; an unmuted kind is counted from then on", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const offered = (sessionId: string, at: number, program = "claude-code"): LedgerEntry[] => [
    { kind: "session", id: sessionId, program },
    {
      kind: "hook-event",
      id: `h${sessionId}`,
      sessionId,
      at,
      event: "SessionStart",
      rule: "resume-offer",
      injectedChars: 80,
    },
    {
      kind: "run",
      id: `r${sessionId}`,
      sessionId,
      agent: "main",
      endedAt: at + 5,
      input: 1,
      output: 1,
      cacheCreation: 0,
      cacheRead: 0,
      completed: true,
    },
  ];
  await appendEntries(ledger, ...offered("a", 10), ...offered("b", 20), ...offered("c", 30, "vscode-chat"), {
    kind: "handover",
    id: "h1",
    sessionId: "old",
    state: "taken",
    toSession: "b",
    takenAt: 21,
  });
  const learn = async () =>
    await learnEffectiveness.tend?.(storeOf(ledger), { rest: () => Promise.resolve() });
  const counted = () => ledger.ask("sentTexts", null);
  await learn();
  // An acceptance in an editor's chat cannot be seen.
  assert.deepEqual(counted(), [{ rule: "resume-offer", helped: 1, failed: 1, wokenAt: null }]);
  await appendEntries(
    ledger,
    { kind: "guard-wake", id: "w", rule: "resume-offer", at: 25 },
    ...effectsForgotten("resume-offer"),
  );
  assert.deepEqual(counted(), []);
  await appendEntries(ledger, ...offered("d", 40));
  await learn();
  assert.deepEqual(counted(), [{ rule: "resume-offer", helped: 0, failed: 1, wokenAt: 25 }]);
});
