import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

const trial = {
  kind: "trial",
  id: "t1",
  agent: "main",
  ruleIds: '["r1"]',
  planned: 200,
  startedAt: 100,
  approvedBy: "user",
} as const;
const draw = {
  kind: "draw",
  trialId: "t1",
  given: '["r1"]',
  withheld: "[]",
  program: "claude-code",
} as const;

function run(id: string, at: number, tokens: number, completed = true): LedgerEntry {
  const [sessionId = ""] = id.split(/[#:]/u);
  const used = { input: tokens, output: 0, cacheCreation: 0, cacheRead: 9999 };
  const agent = id.includes("#") ? "reviewer" : "main";
  return { kind: "run", id, sessionId, agent, startedAt: at, endedAt: at + 5, completed, ...used };
}

test("A trial is listed with the sessions that drew, and stops once", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    trial,
    { ...trial, id: "t2", startedAt: 200 },
    { ...draw, sessionId: "s1", at: 110 },
    { ...draw, sessionId: "s2", at: 120, continues: "s1" },
    { ...trial, stoppedAt: 300 },
    { ...trial, stoppedAt: 400, planned: 5 },
  );
  assert.deepEqual(
    ledger
      .ask("trials", null)
      .map(({ id, stoppedAt, planned, sessions }) => [id, stoppedAt, planned, sessions]),
    [
      ["t2", null, 200, 0],
      ["t1", 300, 200, 1],
    ],
  );
});

test("A draw never changes: later entries only add missing facts", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const first = { ...draw, sessionId: "s1", at: 110, branchKind: "trunk", hour: 9 } as const;
  await appendEntries(ledger, first, { kind: "draw", trialId: "t1", sessionId: "s1", promptChars: 42 });
  await appendEntries(ledger, { ...first, given: "[]", withheld: '["r1"]', hour: 3, promptChars: 7 });
  await appendEntries(ledger, { kind: "draw", trialId: "t1", sessionId: "s1", deliveredAt: 111 });
  assert.deepEqual(ledger.ask("drawsOf", "s1"), [
    {
      trialId: "t1",
      sessionId: "s1",
      continues: null,
      at: 110,
      given: '["r1"]',
      withheld: "[]",
      program: "claude-code",
      project: null,
      branchKind: "trunk",
      hour: 9,
      promptChars: 42,
      deliveredAt: 111,
      chances: null,
    },
  ]);
});

test("A session's prompts are counted with their subagents' usage, by how they ended", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const session = { kind: "session", id: "s1", program: "claude-code", firstAt: 110, lastAt: 300 } as const;
  const hook = { kind: "hook-event", sessionId: "s1" } as const;
  await appendEntries(
    ledger,
    trial,
    session,
    { ...draw, sessionId: "s1", at: 110 },
    run("s1:a", 120, 1000),
    run("s1#x:a", 122, 500),
    run("s1:b", 150, 100, false),
    run("s1:c", 180, 200, false),
    run("s1:d", 200, 3000),
    { ...hook, id: "h1", at: 185, event: "StopFailure" },
    { ...hook, id: "h2", at: 301, event: "SessionEnd" },
    { kind: "trial-prompt", sessionId: "s1", id: "p1", at: 120, corrects: false },
    { kind: "trial-prompt", sessionId: "s1", id: "p2", at: 150, corrects: true },
    { kind: "trial-prompt", sessionId: "s1", id: "p2", at: 151, corrects: false },
    { kind: "trial-prompt", sessionId: "s2", id: "p2", at: 150, corrects: true },
  );
  const [drawn] = ledger.ask("trialSessions", { id: "t1", mostUndrawn: 1000 })?.drawn ?? [];
  assert.ok(drawn !== undefined);
  const { completed, interrupted, failed, meanLog, squares } = drawn.prompts;
  assert.deepEqual([completed, interrupted, failed], [2, 1, 1]);
  assert.deepEqual([drawn.prompts.heard, drawn.prompts.corrections], [2, 1]);
  const [one, two] = [Math.log(1500), Math.log(3000)];
  assert.ok(meanLog !== null && Math.abs(meanLog - (one + two) / 2) < 1e-9);
  assert.ok(Math.abs(squares - (two - one) ** 2 / 2) < 1e-9);
  assert.deepEqual([drawn.lastAt, drawn.hasEnded, drawn.isGolden], [300, true, false]);
});

test("Sessions without a draw in a trial's time are listed, and a bench's are marked", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const session = { kind: "session", program: "codex", cwd: "/work" } as const;
  await appendEntries(
    ledger,
    { ...trial, stoppedAt: 200 },
    { ...session, id: "before", firstAt: 99 },
    { ...session, id: "plain", firstAt: 150 },
    { ...session, id: "heard", firstAt: 160 },
    { ...session, id: "forked", firstAt: 170, parentId: "before" },
    { ...session, id: "after", firstAt: 200 },
    { ...session, id: "golden", firstAt: 150 },
    { ...session, id: "drawn", firstAt: 150 },
    { ...draw, sessionId: "drawn", at: 150 },
    { kind: "hook-event", id: "h", sessionId: "heard", at: 160, event: "Stop" },
    { kind: "run", id: "g", sessionId: "golden", agent: "main", taskHash: "t", completed: true, ...none },
    { kind: "run", id: "d", sessionId: "drawn", agent: "main", taskHash: "t", completed: true, ...none },
  );
  const found = ledger.ask("trialSessions", { id: "t1", mostUndrawn: 1000 });
  assert.deepEqual(
    found?.undrawn.map(({ id, hasHooks, isFork }) => [id, hasHooks, isFork]),
    [
      ["plain", false, false],
      ["heard", true, false],
      ["forked", false, true],
    ],
  );
  assert.deepEqual(
    found.drawn.map(({ isGolden, prompts }) => [isGolden, prompts.completed, prompts.meanLog]),
    [[true, 0, null]],
  );
  assert.equal(ledger.ask("trialSessions", { id: "unknown", mostUndrawn: 1000 }), null);
});

const none = { input: 1, output: 0, cacheCreation: 0, cacheRead: 0 };

test("If very many sessions have no draw, the newest are listed", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const sessions = Array.from({ length: 1003 }, (_, number): LedgerEntry => {
    const at = 200 + number;
    return { kind: "session", id: `s${number}`, program: "codex", firstAt: at, lastAt: at };
  });
  await appendEntries(ledger, trial, ...sessions);
  const undrawn = ledger.ask("trialSessions", { id: "t1", mostUndrawn: 1000 })?.undrawn ?? [];
  assert.deepEqual([undrawn.length, undrawn[0]?.id, undrawn.at(-1)?.id], [1000, "s3", "s1002"]);
  assert.equal(ledger.ask("trialSessions", { id: "t1", mostUndrawn: null })?.undrawn.length, 1003);
});
