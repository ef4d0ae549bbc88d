import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entry.ts";
import { response } from "./support.ts";

export const compaction: LedgerEntry = {
  kind: "compaction",
  id: "c",
  sessionId: "s",
  trigger: "auto",
  isSidechain: false,
  model: "claude-opus-4-5",
  longContext: false,
  preTokens: 160_000,
  at: 5,
};

/** One entry of each kind that is stored as a row. */
export const everyKind: LedgerEntry[] = [
  { kind: "session", id: "s", program: "claude-code" },
  response(1, { sessionId: "s", raw: { input_tokens: 10 } }),
  { kind: "tool-call", id: "t", sessionId: "s", tool: "Read", isError: false },
  { kind: "file-read", id: "t", sessionId: "s", path: "/a", chars: 5 },
  compaction,
  {
    kind: "run",
    id: "r",
    sessionId: "s",
    agent: "main",
    input: 1,
    output: 2,
    cacheCreation: 3,
    cacheRead: 4,
    completed: true,
  },
  { kind: "hook-event", id: "h", sessionId: "s", event: "Stop" },
  { kind: "position", path: "/a", identity: "1:2", offset: 10 },
  { kind: "rule", id: "u", agent: "main", body: "Read once.", status: "candidate" },
  { kind: "baseline", agent: "main", taskHash: "t", run1Tokens: 5, bestTokens: 5 },
  { kind: "subagent", sessionId: "s", agentId: "a1", type: "Explore" },
  { kind: "context-fill", id: "request", sessionId: "s", at: 1, parts: '{"system":100}' },
  { kind: "plan-limit", program: "codex", name: "primary", at: 1, usedPercent: 12.5 },
  { kind: "anomaly", id: "stall:s", sessionId: "s", cause: "stall", at: 1, turns: '["msg_1"]' },
  { kind: "question", id: "q", agent: "main", body: "Why?", status: "open" },
  { kind: "comparison", id: "x", agent: "main", subject: "model", one: "a", other: "b", status: "planned" },
  { kind: "rule-step", id: "u#1", ruleId: "u", at: 1, who: "user", toStatus: "candidate", why: "By hand." },
  { kind: "receipt", id: "x", subject: "rule", subjectId: "u", at: 1, verdict: "saves", json: "{}" },
  { kind: "memory", agent: "main", version: "1", at: 1, text: "- Read once.", ruleIds: "u", madeBy: "user" },
  {
    kind: "trial",
    id: "y",
    agent: "main",
    ruleIds: '["u"]',
    planned: 200,
    startedAt: 1,
    approvedBy: "user",
  },
  { kind: "draw", trialId: "y", sessionId: "s", at: 2, given: '["u"]', withheld: "[]", branchKind: "trunk" },
];
