import assert from "node:assert/strict";
import { test } from "node:test";
import { unjudgedEntries, unreportedEntries } from "../../../../src/engine/guard/calls/not-judged.ts";
import { guardHitEntry } from "../../../../src/engine/ledger/entries/guard-entries.ts";
import { hookEventEntry } from "../../../../src/engine/ledger/entries/collected.ts";

test("a spooled call counts as judged only if a service answered it", () => {
  const spooled = (more: object) =>
    hookEventEntry.parse({
      kind: "hook-event",
      id: "hook:1",
      sessionId: "s",
      at: 5,
      event: "PreToolUse",
      tool: "Bash",
      ...more,
    });
  const found = (more: object) => unjudgedEntries([spooled(more)]);
  const [entry, ...others] = found({});
  assert.deepEqual(others, []);
  assert.ok(entry !== undefined && guardHitEntry.safeParse(entry).success);
  const { id, rule, done, at, tool } = entry;
  assert.deepEqual(
    [id, rule, done, at, tool],
    ["hook:1:not-judged-alone", "not-judged-alone", "unjudged", 5, "Bash"],
  );
  assert.equal(found({ event: "PreSkillShellCommand" }).length, 1);
  const denied = found({ outcome: "deny", rule: "not-judged-alone" });
  assert.deepEqual(
    denied.map((each) => each.done),
    ["denied"],
  );
  assert.deepEqual(found({ outcome: "deny", rule: "delete-home" }), []);
  for (const more of [
    { event: "PostToolUse" },
    { tool: "WebSearch" },
    { tool: null },
    { outcome: "none" },
    { outcome: "ask" },
  ])
    assert.deepEqual(found(more), []);
});

test("a call that no hook has reported is recorded where a guard would have judged it", () => {
  const call = {
    id: "toolu_1",
    sessionId: "s",
    agentId: null,
    at: 5,
    tool: "Bash",
    program: "claude-code",
    folder: "/work",
  };
  const done = (safety: "off" | "observe" | "on" | "required") =>
    unreportedEntries([call], () => ({ guardMode: "observe", guardFamilies: { safety } })).map((entry) => {
      assert.ok(guardHitEntry.safeParse(entry).success);
      return [entry.id, entry.done];
    });
  assert.deepEqual(done("off"), []);
  assert.deepEqual(done("observe"), []);
  assert.deepEqual(done("on"), [["toolu_1:not-judged-alone", "unjudged"]]);
  assert.deepEqual(done("required"), [["toolu_1:not-judged-alone", "denied"]]);
});
