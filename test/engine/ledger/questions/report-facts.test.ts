import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

const usage = { output: 0, cacheCreation: 0, cacheRead: 0 };

function golden(taskHash: string, tokens: number, at: number, over = {}): LedgerEntry {
  return {
    kind: "run",
    id: `b:${taskHash}:${at}`,
    sessionId: "b",
    agent: "scout",
    model: "m",
    startedAt: at,
    input: tokens,
    ...usage,
    completed: true,
    config: "active",
    taskHash,
    taskId: taskHash,
    suiteHash: "s",
    driver: "claude",
    benchId: "b",
    configurationHash: "c",
    outcome: "passed",
    ...over,
  };
}

function baseline(taskHash: string, run1Tokens: number, bestTokens: number, over = {}): LedgerEntry {
  const of = { agent: "scout", model: "m", suiteHash: "s", driver: "claude", taskHash, at: 1 };
  return { kind: "baseline", ...of, run1Tokens, bestTokens, ...over };
}

test("A suite's figures are its tasks' first, best and last completed runs with the present agent", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    baseline("one", 1000, 700),
    // The best only decreases.
    baseline("one", 1000, 700),
    baseline("two", 500, 500),
    golden("one", 1000, 1),
    golden("one", 800, 3),
    golden("one", 100, 4, { config: "candidate" }),
    golden("one", 50, 5, { outcome: "failed", completed: false }),
    golden("two", 500, 2),
    baseline("old", 9, 9, { suiteHash: "", model: "", driver: "" }),
    baseline("one", 60, 60, { driver: "codex" }),
    baseline("one", 50, 50, { driver: "replay" }),
  );
  const { suites, spent } = ledger.ask("reportFacts", 0);
  const suite = { agent: "scout", model: "m", suiteHash: "s" };
  assert.deepEqual(suites, [
    {
      ...suite,
      driver: "claude",
      tasks: [
        { hash: "one", run1: 1000, best: 700, last: 800 },
        { hash: "two", run1: 500, best: 500, last: 500 },
      ],
      lastAt: 3,
    },
    // Its runs are not in the ledger.
    { ...suite, driver: "codex", tasks: [{ hash: "one", run1: 60, best: 60, last: null }], lastAt: null },
  ]);
  assert.deepEqual(spent, ledger.ask("goldenBook", 0).spent);
});

test("A question is open until it is decided; the newest 20 are listed, with the total number", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const ask = (number: number, status: string): LedgerEntry => ({
    kind: "question",
    id: `q${number}`,
    agent: "main",
    toAgent: "scout",
    sessionId: "s",
    at: number,
    body: `May I? ${number}`,
    status,
    chars: 8,
  });
  const numbers = Array.from({ length: 23 }, (_, index) => index + 1);
  await appendEntries(ledger, ...numbers.map((number) => ask(number, "pending")), ask(99, "sent"));
  await appendEntries(ledger, ask(23, "denied"));
  const { questions } = ledger.ask("reportFacts", 0);
  assert.deepEqual([questions.count, questions.newest.length, questions.newest[0]?.id], [22, 20, "q22"]);
});

test("A run's ruleset version is its agent's memory at its start; before the first memory it is null", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const run = (number: number, startedAt: number | null, over = {}): LedgerEntry => ({
    kind: "run",
    id: `r${number}`,
    sessionId: "s",
    agent: "scout",
    startedAt,
    endedAt: 100 + number,
    input: 1,
    ...usage,
    completed: true,
    ...over,
  });
  const memory = (version: string, at: number, agent = "scout"): LedgerEntry => ({
    kind: "memory",
    agent,
    version,
    at,
    text: "- Read once.",
    ruleIds: "u",
    madeBy: "purser",
  });
  await appendEntries(
    ledger,
    ...[run(1, 5), run(2, 10), run(3, 25), run(4, 30), run(5, null), run(6, 40, { agent: "main" })],
    // Appended after the runs; the user's version is stored at the same time as its replacement.
    ...[memory("1", 10), memory("2.found", 20), memory("2", 20), memory("3", 30), memory("9", 1, "other")],
  );
  assert.deepEqual(
    ledger.ask("realRuns", { most: 10, project: null }).map(({ id, rulesetVersion }) => [id, rulesetVersion]),
    [
      ["r1", null],
      ["r2", "1"],
      ["r3", "2"],
      ["r4", "3"],
      ["r5", null],
      ["r6", null],
    ],
  );
});

test("Real runs are limited by program and agent, and a memory of Claude Code's is not another program's", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const run = (sessionId: string, number: number): LedgerEntry => ({
    kind: "run",
    id: `${sessionId}${number}`,
    sessionId,
    agent: "scout",
    startedAt: 50,
    endedAt: number,
    input: 1,
    ...usage,
    completed: true,
  });
  await appendEntries(
    ledger,
    { kind: "session", id: "a", program: "claude-code" },
    { kind: "session", id: "x", program: "codex" },
    ...[1, 2, 3].flatMap((number) => [run("a", number), run("x", number)]),
    { kind: "memory", agent: "scout", version: "1", at: 10, text: "- a", ruleIds: "u", madeBy: "purser" },
  );
  assert.deepEqual(
    ledger
      .ask("realRuns", { most: 2, project: null })
      .map(({ id, program, rulesetVersion }) => [id, program, rulesetVersion]),
    ["2", "3"].flatMap((number) => [
      [`a${number}`, "claude-code", "1"],
      [`x${number}`, "codex", null],
    ]),
  );
});
