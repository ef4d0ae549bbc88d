import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ownSession } from "../../../src/engine/transcripts/agents.ts";

describe("the session that a tool runs in", () => {
  it("is the one that its agent names", () => {
    assert.equal(ownSession({ CLAUDE_CODE_SESSION_ID: "a" })?.id, "a");
    const codex = { agent: "codex", id: "b" };
    assert.deepEqual(ownSession({ CODEX_SESSION_ID: "b", CODEX_THREAD_ID: "a subagent's" }), codex);
    assert.deepEqual(ownSession({ CLAUDE_CODE_SESSION_ID: "", CODEX_SESSION_ID: "b" }), codex);
  });

  it("is unknown outside of any", () => {
    assert.equal(ownSession({}), null);
    assert.equal(ownSession({ CODEX_SESSION_ID: "", CODEX_THREAD_ID: "c" }), null);
  });
});
