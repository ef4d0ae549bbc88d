import assert from "node:assert/strict";
import fc from "fast-check";
import path from "node:path";
import test from "node:test";
import { describe, it } from "node:test";
import type { SessionEvent } from "../../../../src/engine/sessions/reported.ts";
import { readHook } from "../../../../src/engine/hooks/event/event.ts";
import { sessionReportOf, withTrueType } from "../../../../src/engine/hooks/event/session-report.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

function newsIn(body: object): SessionEvent | null {
  const { event = null } = readHook({ session_id: "s", ...body }) ?? {};
  return event === null ? null : (sessionReportOf(event, 7)?.event ?? null);
}

describe("reports of hooks about their session", () => {
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

  it("do not change the session if a subagent's hook reports them", () => {
    for (const name of ["PreCompact", "PostCompact", "SessionStart", "Stop", "StopFailure"])
      assert.equal(newsIn({ hook_event_name: name, agent_id: "a1" }), null);
  });

  it("include limits and the cache from a status line, as the agent reports them", () => {
    const event = newsIn({
      hook_event_name: "StatusLine",
      rate_limits: {
        spend_limit: {
          used_percentage: 130.5,
          resets_at: 60,
          used_usd: 26.1,
          limit_usd: 20,
          period: "monthly",
        },
        five_hour: { used_percentage: 41, used_usd: -1, limit_usd: "20" },
        odd: { used_percentage: -1 },
      },
      prompt_cache: {
        warm: true,
        caching_observed: true,
        ttl: "1h",
        expires_at: 90,
        recache_tokens_if_cold: 21_500,
      },
    });
    assert.ok(event?.kind === "measured");
    const unknown = { resetsAt: null, usedUsd: null, limitUsd: null, period: null };
    assert.deepEqual(event.planLimits, [
      {
        name: "spend_limit",
        usedPercent: 130.5,
        resetsAt: 60_000,
        usedUsd: 26.1,
        limitUsd: 20,
        period: "monthly",
      },
      { ...unknown, name: "five_hour", usedPercent: 41 },
    ]);
    assert.deepEqual(event.cache, { isWarm: true, isLong: true, expiresAt: 90_000, tokens: 21_500 });
  });

  it("has no figures for a cache that is not used, or was emptied by a compaction", () => {
    const cache = { warm: true, ttl: "5m", expires_at: 90, recache_tokens_if_cold: 5 };
    const more = [
      { caching_observed: false },
      { recache_tokens_if_cold: null },
      { warm: "yes" },
      { recache_tokens_if_cold: -1 },
    ];
    for (const each of more) {
      const event = newsIn({ hook_event_name: "StatusLine", prompt_cache: { ...cache, ...each } });
      assert.ok(event?.kind === "measured" && event.cache === null, JSON.stringify(each));
    }
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
