import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveSnapshot } from "../../../src/engine/sessions/live-snapshot.ts";
import { logSummary } from "../../../src/extension/service/log-summary.ts";
import { session } from "../support/session.ts";

const snapshot: LiveSnapshot = {
  sessions: [session(), session({ id: "old", live: false })],
  roots: [
    { agent: "claude-code", path: "/home/dev/.claude/projects", exists: true },
    { agent: "codex", path: "/home/dev/.codex/sessions", exists: false },
  ],
  files: 65,
  problems: [{ path: "/home/dev/x.jsonl", reason: plainSentence("EACCES") }],
  settingProblems: [],
  complete: true,
};
const input = { version: "0.1.0", editor: "1.100.0", service: { version: "0.1.0", pid: 4711 }, liveHere: 1 };

test("the log of a healthy window has versions, the service, the folders read, and counts", () => {
  assert.deepEqual(logSummary({ ...input, snapshot }), [
    "Context Purser 0.1.0 in VS Code 1.100.0.",
    "Service: version 0.1.0, process 4711.",
    "Claude Code: /home/dev/.claude/projects",
    "Codex: /home/dev/.codex/sessions (not there)",
    "Transcripts: 65. Sessions of the last week: 2, live: 1, live in this window: 1.",
    "Cannot be read: /home/dev/x.jsonl: EACCES",
  ]);
});

test("the log states that nothing is connected or read yet", () => {
  assert.deepEqual(logSummary({ ...input, service: null, snapshot: null }).slice(1), [
    "The service is not connected.",
    "Nothing has been read yet.",
  ]);
});
