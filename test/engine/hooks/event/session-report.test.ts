import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { SessionEvent } from "../../../../src/engine/context/reported/session-event.ts";
import { readHook } from "../../../../src/engine/hooks/event/event.ts";
import { sessionReportOf } from "../../../../src/engine/hooks/event/session-report.ts";

function newsIn(body: object): SessionEvent | null {
  const { event = null } = readHook({ session_id: "s", ...body }) ?? {};
  return event === null ? null : (sessionReportOf(event, 7)?.event ?? null);
}

describe("what hooks tell of their session", () => {
  it("is what their events are for", () => {
    const table: readonly (readonly [object, SessionEvent])[] = [
      [
        { hook_event_name: "SessionStart", source: "resume", model: "m", context_tokens: 5 },
        { kind: "began", how: "resume", model: "m", carried: 5 },
      ],
      [
        { hook_event_name: "PostModelSwitch", from_model: "a", to_model: "b[1m]", context_tokens: 9 },
        { kind: "switched", model: "b[1m]", carried: 9 },
      ],
      [
        { hook_event_name: "PreModelSwitch", to_model: "b", context_tokens: 9 },
        { kind: "switched", model: null, carried: 9 },
      ],
      [{ hook_event_name: "PreCompact", trigger: "auto" }, { kind: "compacting" }],
      [{ hook_event_name: "PostCompact", trigger: "auto" }, { kind: "compacted" }],
      [
        { hook_event_name: "SubagentStart", agent_id: "a1", agent_type: "Explore" },
        { kind: "subagent-began", agentId: "a1", type: "Explore" },
      ],
      [
        { hook_event_name: "Stop", last_assistant_message: "Done" },
        { kind: "stopped", message: "Done" },
      ],
      [
        { hook_event_name: "StopFailure", error: "overloaded" },
        { kind: "failed", error: "overloaded", message: null },
      ],
    ];
    for (const [body, event] of table) assert.deepEqual(newsIn(body), event);
  });

  it("is nothing of the session's where a subagent's hook tells it", () => {
    for (const name of ["PreCompact", "PostCompact", "SessionStart", "Stop", "StopFailure"])
      assert.equal(newsIn({ hook_event_name: name, agent_id: "a1" }), null);
  });

  it("names no empty place, and never fails", () => {
    const hook = readHook({ hook_event_name: "PreCompact", session_id: "s", transcript_path: "" });
    assert.ok(hook !== null && hook.event !== null);
    assert.equal(sessionReportOf(hook.event, 7)?.transcript, null);
    const names = ["SessionStart", "PostModelSwitch", "SubagentStop", "Stop", "PreToolUse"];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.dictionary(fc.string(), fc.anything()), (name, more) => {
        newsIn({ ...more, session_id: "s", hook_event_name: name });
      }),
    );
  });
});
