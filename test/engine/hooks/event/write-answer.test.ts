import assert from "node:assert/strict";
import { it } from "node:test";
import { writeAnswer } from "../../../../src/engine/hooks/event/write-answer.ts";

const refused = {
  permission: { decision: "deny", reason: "It is used up." },
  stop: "The turn ends.",
} as const;

it("A denial that ends the turn says both to Claude Code", () => {
  assert.deepEqual(JSON.parse(writeAnswer("PreToolUse", refused, "claude-code")), {
    continue: false,
    stopReason: "The turn ends.",
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "It is used up.",
    },
  });
});

it("Codex is only denied the tool: it would take the end of a turn there for an error, and run it", () => {
  assert.deepEqual(JSON.parse(writeAnswer("PreToolUse", refused, "codex")), {
    decision: "block",
    reason: "It is used up.",
  });
  assert.deepEqual(JSON.parse(writeAnswer("UserPromptSubmit", { stop: "Over." }, "codex")), {
    continue: false,
    stopReason: "Over.",
  });
});
