import assert from "node:assert/strict";
import { globSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { agents, ownSession } from "../../../src/engine/transcripts/agents.ts";
import { holdsAny } from "../../../src/engine/sessions/live/past.ts";

const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));

describe("the session that a tool runs in", () => {
  it("is the one named by its agent's variable", () => {
    assert.equal(ownSession({ CLAUDE_CODE_SESSION_ID: "a" })?.id, "a");
    const codex = { agent: "codex", id: "b" };
    assert.deepEqual(ownSession({ CODEX_SESSION_ID: "b", CODEX_THREAD_ID: "a subagent's" }), codex);
    assert.deepEqual(ownSession({ CLAUDE_CODE_SESSION_ID: "", CODEX_SESSION_ID: "b" }), codex);
  });

  it("is unknown outside any session", () => {
    assert.equal(ownSession({}), null);
    assert.equal(ownSession({ CODEX_SESSION_ID: "", CODEX_THREAD_ID: "c" }), null);
  });
});

describe("the marks of an agent's compactions", () => {
  const written = (pattern: string) => globSync(`${pattern}/**/*.jsonl`, { cwd: recordings });
  const compacted = {
    "claude-code": written("2.*/compaction-*"),
    codex: written("codex-*/{compaction,context-full}"),
    copilot: written("copilot-*/compaction*"),
    gemini: written("gemini-*/compression"),
    "vscode-chat": [],
  };
  const others = {
    "claude-code": written("2.*/{tool-loop,subagents}"),
    codex: written("codex-*/{tool-loop,fork,subagent}"),
    copilot: written("copilot-*/{tool-loop,subagent}"),
    gemini: written("gemini-*/{tool-loop,subagent}"),
    "vscode-chat": [],
  };

  for (const { name, liveReader } of agents)
    it(`are in each file of ${name} that records one, and in no other`, async () => {
      const { compactionMarks: marks } = await liveReader();
      const holding = (files: readonly string[]) =>
        files.filter((file) => holdsAny(path.join(recordings, file), marks));
      assert.ok(marks.length > 0);
      assert.deepEqual(holding(compacted[name]), compacted[name]);
      assert.deepEqual(holding(others[name]), []);
    });
});
