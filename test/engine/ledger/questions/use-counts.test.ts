import assert from "node:assert/strict";
import test from "node:test";
import { scratchFolder } from "../../support/scratch.ts";
import { open, response, appendEntries } from "../support/support.ts";

test("Sessions, subagents and skills since a time are counted by folder; a bench's runs are not sessions", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const session = { kind: "session", program: "claude-code", cwd: "/work/app" } as const;
  await appendEntries(
    ledger,
    { ...session, id: "old", lastAt: 99 },
    { ...session, id: "one", lastAt: 100 },
    { ...session, id: "two", lastAt: 200 },
    { ...session, id: "far", cwd: "/work/other", lastAt: 200 },
    { ...session, id: "codex", program: "codex", lastAt: 200 },
    { kind: "session", id: "bench:1", lastAt: 200 },
    { kind: "subagent", sessionId: "one", agentId: "a", type: "reviewer" },
    { kind: "subagent", sessionId: "two", agentId: "b", type: "reviewer" },
    { kind: "subagent", sessionId: "old", agentId: "c", type: "reviewer" },
    { kind: "tool-call", id: "t1", sessionId: "two", at: 150, tool: "Skill", skill: "release" },
    { kind: "tool-call", id: "t2", sessionId: "old", at: 50, tool: "Skill", skill: "release" },
    { kind: "tool-call", id: "t3", sessionId: "two", at: 150, tool: "Read" },
  );
  const app = (name: string, count: number) => ({ cwd: "/work/app", name, count });
  assert.deepEqual(ledger.ask("useCounts", 100), {
    sessions: [app("claude-code", 2), app("codex", 1), { cwd: "/work/other", name: "claude-code", count: 1 }],
    subagents: [app("reviewer", 2)],
    skills: [app("release", 1)],
    charactersPerToken: [],
    usdPerToken: null,
  });
});

test("The counts include characters per token from the newest requests", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const usage = { input: 50, output: 5, cacheCreation5m: 0, cacheCreation1h: 50, cacheRead: 100 };
  await appendEntries(ledger, response(1, { usage }), {
    kind: "context-fill",
    id: "f",
    sessionId: "session-1",
    messageId: "msg_1",
    at: 1,
    parts: '{"system":600,"tools":100}',
  });
  const { charactersPerToken, usdPerToken } = ledger.ask("useCounts", 0);
  assert.deepEqual(charactersPerToken, [3.5]);
  const { totals, costByKind } = ledger.ask("overview", {
    since: null,
    until: null,
    project: null,
    program: null,
  });
  const { output, ...entering } = costByKind;
  const usd = Object.values(entering).reduce((sum, each) => sum + each, 0);
  assert.ok(usd > 0 && usd + output > usd, JSON.stringify(totals));
  assert.equal(usdPerToken, usd / 100, "100 tokens entered, and as many were read again");
});
