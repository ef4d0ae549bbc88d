import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import { noUsage } from "../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../support/scratch.ts";
import { appendEntries, open, response } from "./support/support.ts";

const run = (
  sessionId: string,
  number: number,
  over: Partial<Extract<LedgerEntry, { kind: "run" }>> = {},
): LedgerEntry => ({
  kind: "run",
  id: `${sessionId} ${number}`,
  sessionId,
  agent: "main",
  input: 0,
  output: 0,
  cacheCreation: 0,
  cacheRead: 0,
  completed: true,
  ...over,
});

const session = (id: string, over: Partial<Extract<LedgerEntry, { kind: "session" }>> = {}): LedgerEntry => ({
  kind: "session",
  id,
  program: "claude-code",
  cwd: "/argo",
  lastAt: 5,
  ...over,
});

test("A session's figures are sums of its rows in the ledger, beside others of the same agent", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const call = { kind: "tool-call", sessionId: "s", tool: "Bash" } as const;
  const read = { kind: "file-read", sessionId: "s" } as const;
  const hit = {
    kind: "guard-hit",
    sessionId: "s",
    rule: "r",
    action: "advise",
    family: "output",
    at: 1,
  } as const;
  await appendEntries(
    ledger,
    session("s"),
    response(1, { sessionId: "s" }),
    response(2, { sessionId: "s", model: "unheard-of-1" }),
    run("s", 1),
    run("s", 2, { completed: false }),
    run("s", 3, { agent: "Explore" }),
    { ...call, id: "c1", isError: true },
    { ...call, id: "c2", isError: false },
    { ...call, id: "c3" },
    { ...read, id: "f1", path: "/a" },
    { ...read, id: "f2", path: "/a" },
    { ...read, id: "f3", path: "/b" },
    { kind: "compaction", id: "k", sessionId: "s", trigger: "auto", isSidechain: false, longContext: false },
    { ...hit, id: "g1", done: "replaced", savedBytes: 900 },
    { ...hit, id: "g2", done: "observed", savedBytes: 5000 },
    { ...hit, id: "g3", family: "loops", done: "advised" },
    {
      kind: "session-state",
      sessionId: "s",
      turn: 1,
      phase: "Late",
      trust: 1,
      focus: 1,
      calls: 3,
      errors: 1,
      switches: 0,
      deadEnds: 0,
      edited: 4,
      verified: 1,
    },
    {
      kind: "handover",
      id: "h1",
      sessionId: "old",
      state: "taken",
      toSession: "s",
      carriedTokens: 121_000,
      documentTokens: 4000,
    },
    { kind: "given-packet", sessionId: "s", fromSession: "old", at: Date.UTC(2026, 10, 2), tokens: 900 },
    response(3, {
      sessionId: "old",
      usage: { ...noUsage, input: 5, cacheCreation5m: 1000, cacheRead: 50_000 },
    }),
    response(4, { sessionId: "old", isSidechain: true }),
    response(5, { sessionId: "old", at: Date.UTC(2026, 10, 3) }),
    // Excluded from the comparison: sessions without a completed prompt, benches, forks and other agents' sessions.
    ...["o1", "o2"].flatMap((id) => [session(id, { lastAt: 3 }), run(id, 1)]),
    session("empty"),
    session("bench"),
    run("bench", 1, { taskHash: "x" }),
    session("fork", { parentId: "s" }),
    run("fork", 1),
    session("codex", { program: "codex" }),
    run("codex", 1),
  );
  const figures = ledger.ask("sessionFigures", "s");
  assert.ok(figures !== null);
  assert.ok((figures.own.usd ?? 0) > 0);
  assert.deepEqual(
    { ...figures.own, usd: 1 },
    {
      id: "s",
      program: "claude-code",
      project: "/argo",
      prompts: 2,
      completed: 1,
      processing: 23,
      sent: 2020,
      cacheRead: 2000,
      usd: 1,
      unpriced: 1,
      reads: 3,
      rereads: 1,
      judgedCalls: 2,
      failedCalls: 1,
      compactions: 1,
      loops: 1,
      edited: 4,
      verified: 1,
      savedBytes: 900,
      handedTokens: 117_000,
      packetTokens: 50_105,
    },
  );
  assert.deepEqual(
    figures.others.map(({ id }) => id),
    ["o1", "o2"],
  );
  assert.partialDeepStrictEqual(figures.others[0], {
    prompts: 1,
    completed: 1,
    loops: null,
    usd: null,
    reads: 0,
  });
  assert.equal(ledger.ask("sessionFigures", "unheard-of"), null);
  const at = Date.UTC(2026, 10, 1, 12);
  await appendEntries(ledger, {
    kind: "compaction",
    id: "k2",
    sessionId: "old",
    at,
    trigger: "auto",
    isSidechain: false,
    longContext: false,
  });
  const { own } = ledger.ask("sessionFigures", "s") ?? figures;
  assert.equal(own.packetTokens, null, "the tokens of its next call are unknown");
});

const hour = 3_600_000;

test("Ordinary sessions are counted by program, with those that a person returned to, and without wakes", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const of = (sessionId: string, number: number, at: number, over = {}) =>
    response(number, { sessionId, at, model: "ship-1", ...over });
  await appendEntries(
    ledger,
    { kind: "session", id: "short", program: "claude-code", cwd: "/argo" },
    { kind: "session", id: "long", program: "claude-code", cwd: "/argo/stern" },
    { kind: "session", id: "other", program: "codex", cwd: "/argonaut" },
    { kind: "session", id: "woken", program: "claude-code", cwd: "/argo" },
    of("short", 1, 10 * hour),
    of("short", 2, 10.9 * hour),
    of("long", 3, 10 * hour),
    of("long", 4, 12 * hour),
    of("long", 5, 20 * hour),
    of("long", 6, 30 * hour, { isSidechain: true }),
    of("other", 7, 10 * hour),
    of("other", 8, 2 * hour),
    of("woken", 9, 10 * hour),
    {
      kind: "wake",
      id: "w",
      agent: "keeper",
      project: "/argo",
      program: "claude",
      model: "m",
      source: "timer",
      at: 1,
      endedAt: 2,
      sessionId: "woken",
      reason: "first",
      resumeFailed: false,
      outcome: "completed",
      turns: 1,
      fetchMode: "none",
      fullFetches: 0,
      deltaFetches: 0,
      summaryFetches: 0,
      promptChars: 1,
      instructionsChars: 1,
    },
  );
  const counts = (project: string | null) =>
    ledger
      .ask("ordinaryWork", { since: 5 * hour, project })
      .map(({ program, sessions, returned, returns, usage }) => [
        program,
        sessions,
        returned,
        returns,
        usage.map(({ model }) => model),
      ]);
  assert.deepEqual(counts(null), [
    ["claude-code", 2, 1, 2, ["ship-1"]],
    ["codex", 1, 0, 0, ["ship-1"]],
  ]);
  assert.deepEqual(counts("/argo"), [["claude-code", 2, 1, 2, ["ship-1"]]]);
  const { usage: single } = { usage: ledger.ask("responses", "short")[0]?.usage };
  const [claude] = ledger.ask("ordinaryWork", { since: 5 * hour, project: null });
  assert.equal(claude?.usage[0]?.usage.input, 5 * (single?.input ?? Number.NaN));
});
