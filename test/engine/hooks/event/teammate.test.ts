import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { readHook } from "../../../../src/engine/hooks/event/event.ts";
import { withTrueType } from "../../../../src/engine/hooks/event/teammate.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

test("A teammate's hooks have its agent's type; those of other subagents keep their own", (t) => {
  const folder = scratchFolder(t);
  const id = "aanna-0123456789abcdef";
  writeTree(folder, {
    [`s/subagents/agent-${id}.meta.json`]: JSON.stringify({ agentType: "anna", spawnedAgentType: "Explore" }),
    "s/subagents/agent-aold-1.meta.json": JSON.stringify({ agentType: "old" }),
  });
  const typeOf = (agent: object, transcript = "s.jsonl") => {
    const body = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      transcript_path: path.join(folder, transcript),
    };
    const { event = null } = readHook({ ...body, ...agent }) ?? {};
    assert.ok(event !== null);
    return withTrueType(event).agent_type;
  };
  assert.equal(typeOf({ agent_id: id, agent_type: "anna" }), "Explore");
  assert.equal(typeOf({ agent_id: id, agent_type: "anna" }, "other.jsonl"), "anna");
  assert.equal(typeOf({ agent_id: "aold-1", agent_type: "old" }), "old");
  assert.equal(typeOf({ agent_id: "a1", agent_type: "Plan" }), "Plan");
  assert.equal(typeOf({ agent_type: "reviewer" }), "reviewer");
  assert.equal(typeOf({ agent_id: `ax-/../${id}`, agent_type: "x" }), "x");
  assert.equal(typeOf({}), undefined);
});
