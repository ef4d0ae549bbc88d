import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open } from "../support/support.ts";

const session = { kind: "session", program: "claude-code", cwd: "/work", branch: "main" } as const;

function run(id: string, input: number, over: object = {}): LedgerEntry {
  const [sessionId = ""] = id.split(/[#:]/u);
  const used = { input, output: 0, cacheCreation: 0, cacheRead: 9999 };
  return { kind: "run", id, sessionId, agent: "main", completed: true, startedAt: 5, ...used, ...over };
}

test("The newest sessions of real work are listed with their prompts and the facts known at the start", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(
    ledger,
    { ...session, id: "old", firstAt: 10, lastAt: 20 },
    run("old:a", 100, { promptChars: 42, startedAt: 11 }),
    run("old:b", 400, { promptChars: 7, startedAt: 12 }),
    run("old#x:a", 900, { agent: "reviewer", startedAt: 12 }),
    { ...session, id: "new", firstAt: 30, lastAt: 40, cwd: "/other", branch: "fix" },
    run("new:a", 50),
    { ...session, id: "interrupted", firstAt: 30, lastAt: 50 },
    run("interrupted:a", 50, { completed: false }),
    { ...session, id: "bench", firstAt: 30, lastAt: 50 },
    run("bench:a", 50, { taskHash: "t" }),
    { ...session, id: "fork", firstAt: 30, lastAt: 50, parentId: "old" },
    run("fork:a", 50),
    { ...session, id: "codex", program: "codex", firstAt: 30, lastAt: 50 },
    run("codex:a", 50),
  );
  const found = ledger.ask("recentWork", 10);
  const [one, two] = [Math.log(100), Math.log(1300)];
  assert.deepEqual(
    found.map(({ cwd, branch, firstAt, promptChars, completed }) => [
      cwd,
      branch,
      firstAt,
      promptChars,
      completed,
    ]),
    [
      ["/other", "fix", 30, null, 1],
      ["/work", "main", 10, 42, 2],
    ],
  );
  assert.ok(Math.abs((found[1]?.meanLog ?? 0) - (one + two) / 2) < 1e-9);
  assert.ok(Math.abs((found[1]?.squares ?? 0) - (two - one) ** 2 / 2) < 1e-9);
  assert.equal(ledger.ask("recentWork", 1).length, 1);
});
