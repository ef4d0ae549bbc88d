import { assert } from "../../../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SessionState } from "../../../../../src/engine/transcripts/copilot/live/compaction-rows.ts";
import { began, by, compacted, ended, event, said, start, used, vector } from "../event-rows.ts";
import { eventsIn, liveRows, mainEvents, tokensIn } from "./events-in.ts";

describe("the rows of a live Copilot session", () => {
  it("report the session's folder, branch and model, also after changes", () => {
    const moved = event(1, "session.context_changed", { cwd: "/home/dev/pier", branch: "pier" });
    const lines = [began, moved, event(2, "session.model_change", { newModel: "gpt-6" })];
    assert.deepEqual(mainEvents(lines, "place"), [
      { kind: "place", cwd: "/home/dev/harbor", branch: "main" },
      { kind: "place", cwd: "/home/dev/pier", branch: "pier" },
    ]);
    assert.deepEqual(
      mainEvents(lines, "model").map(({ requestedModel }) => requestedModel),
      ["gpt-5.4", "gpt-6"],
    );
  });

  it("report each response once, with its cached tokens separate, and the window", () => {
    const lines = [began, used(1, 1, vector(100, 40, 10, 30)), used(1, 1, vector(100, 40, 10, 30))];
    const [found, ...others] = mainEvents(lines, "response");
    assert.deepEqual(others, []);
    const usage = { input: 30, output: 10, cacheCreation5m: 30, cacheCreation1h: 0, cacheRead: 40 };
    assert.deepEqual(found?.response.usage, usage);
    assert.deepEqual([found.response.at, found.response.cwd], [start + 1000, "/home/dev/harbor"]);
    assert.deepEqual(mainEvents(lines, "window"), [
      { kind: "window", tokens: 922_000, source: "maxPromptTokens in the session's events" },
    ]);
  });

  it("distinguish two responses with the same numbers", () => {
    assert.equal(tokensIn([began, used(1, 1, vector(5, 0, 1)), used(2, 2, vector(5, 0, 1))]), 12);
  });

  it("end a turn when the model finishes, at an error, and when the process ends", () => {
    const answer = (finishReason: string) =>
      event(1, "session.usage_record", { usage: { ...vector(5, 0, 1), finishReason } });
    const ends = (line: string) => mainEvents([line], "response").map(({ endsTurn }) => endsTurn);
    assert.deepEqual([ends(answer("stop")), ends(answer("tool_calls"))], [[true], [false]]);
    const failed = [event(1, "session.error", { errorType: "query", message: "m" }), ended(2, {})];
    assert.equal(mainEvents(failed, "turn-ended").length, 2);
    assert.deepEqual(mainEvents(failed, "api-error"), [{ kind: "api-error", at: start + 1000 }]);
  });

  it("begin a turn at a prompt, not at messages sent during the turn", () => {
    const prompt = event(1, "user.message", { content: "Count the boats.", delivery: "idle" });
    const more = event(2, "user.message", { content: "And the oars.", delivery: "steering" });
    assert.deepEqual(
      mainEvents([prompt, more], "prompt").map(({ text }) => text),
      ["Count the boats."],
    );
  });

  it("report the model's tool calls, not a person's", () => {
    const asked = event(1, "assistant.message", { toolRequests: [{ toolCallId: "t1", name: "bash" }] });
    const mine = event(2, "tool.user_requested", { toolCallId: "t2", toolName: "bash" });
    const ran = ["t1", "t2", "t3"].map((toolCallId) =>
      event(3, "tool.execution_start", { toolCallId, toolName: "bash" }),
    );
    const ids = mainEvents([asked, mine, ...ran], "tool-call").map(({ id }) => id);
    assert.deepEqual(ids, ["t1", "t1", "t3"]);
  });

  it("report a subagent's work as its own, and when it is done", () => {
    const subagent = { toolCallId: "t1", agentName: "explore", agentDescription: "look\n around" };
    const lines = [
      by("a1", event(1, "subagent.started", subagent)),
      by("a1", used(2, 1, vector(7, 0, 2), "s9")),
      by("a1", event(3, "subagent.completed", { toolCallId: "t1", agentName: "explore" })),
    ];
    const events = eventsIn([began, ...lines]).filter(([agentId]) => agentId === "a1");
    const facts = events.flatMap(([, found]) => (found.kind === "subagent" ? [found] : []));
    assert.deepEqual(facts, [
      { kind: "subagent", type: "explore", description: "look around", finished: false },
      { kind: "subagent", type: "explore", description: null, finished: true },
    ]);
    const [own] = events.flatMap(([, found]) => (found.kind === "response" ? [found] : []));
    assert.deepEqual([own?.isCopy, own?.response.isSidechain], [false, true]);
  });

  it("recognise a subagent by the call that started it where rows do not name it", () => {
    const data = { parentToolCallId: "t1", content: "Look." };
    const record = event(2, "session.usage_record", {
      usage: { ...vector(7, 0, 2), parentToolCallId: "t1" },
    });
    const lines = [
      event(1, "subagent.started", { toolCallId: "t1" }),
      event(2, "user.message", data),
      record,
    ];
    assert.deepEqual([...new Set(eventsIn(lines).map(([agentId]) => agentId))], ["t1"]);
  });

  it("mark another session's responses and calls as copies", () => {
    const call = event(2, "assistant.message", { toolRequests: [{ toolCallId: "t1", name: "bash" }] });
    const lines = [began, used(1, 1, vector(5, 0, 1), "s0"), call, used(3, 1, vector(6, 0, 1))];
    assert.deepEqual(
      mainEvents(lines, "response").map(({ isCopy }) => isCopy),
      [true, false],
    );
    assert.equal(mainEvents(lines, "tool-call")[0]?.isCopy, true);
  });

  it("report the plan's limits", () => {
    const quotaSnapshots = { premium: { remainingPercentage: 75 } };
    const line = event(1, "session.usage_record", { usage: { ...vector(1, 0, 1), quotaSnapshots } });
    const [limits] = mainEvents([line], "plan-limits");
    assert.deepEqual(
      limits?.limits.map(({ name, usedPercent }) => [name, usedPercent]),
      [["premium", 25]],
    );
  });
});

describe("large rows of a live Copilot session", () => {
  it("are skipped where they hold no figure", () => {
    const read = liveRows();
    const tool = event(2, "tool.execution_complete", { toolCallId: "t1" });
    for (const row of [event(1, "system.message", {}), event(1, "model.messages_snapshot", {})])
      assert.deepEqual(read(row), { outcome: "known", isSidechain: false, at: null, events: [] });
    const times = [tool, used(3, 1, vector(5, 0, 1)), tool].map((row) => {
      const reading = read(row);
      return reading.outcome === "known" ? reading.at : undefined;
    });
    assert.deepEqual(times, [start + 2000, start + 3000, null]);
  });
});

describe("a compaction in a live Copilot session", () => {
  const began20k = (trigger: string) =>
    event(1, "session.compaction_start", {
      compactionAttemptId: "attempt-2",
      currentTokens: 16_128,
      tokenLimit: 20_000,
      trigger,
    });

  it("began at the size that was compared with the threshold, not at the local estimate", () => {
    const lines = [began, began20k("threshold"), compacted(2, vector(90, 50, 7))];
    assert.deepEqual(mainEvents(lines, "compaction"), [
      {
        kind: "compaction",
        compaction: { trigger: "auto", preTokens: 16_128, postTokens: 11_775, at: start + 2000 },
      },
    ]);
  });

  it("does not reveal the threshold when it began for another reason", () => {
    const trigger = "model_switch";
    const [found] = mainEvents([began20k(trigger), compacted(2, vector(0, 0, 0), { trigger })], "compaction");
    assert.deepEqual([found?.compaction.trigger, found?.compaction.preTokens], ["unknown", 11_820]);
    const manual = mainEvents([compacted(2, vector(0, 0, 0), { trigger: "manual" })], "compaction");
    assert.equal(manual[0]?.compaction.trigger, "manual");
  });

  it("used tokens outside the conversation, also when it was cancelled", () => {
    const cancelled = compacted(2, vector(90, 50, 7), { success: false, outcome: "cancelled" });
    assert.deepEqual(mainEvents([cancelled], "compaction"), []);
    const [found] = mainEvents([cancelled, cancelled], "response");
    assert.deepEqual([found?.response.isSidechain, found?.response.usage.cacheRead], [true, 50]);
    assert.equal(tokensIn([cancelled, cancelled]), 97);
  });
});

describe("a session of a version without usage records", () => {
  const tool = event(2, "tool.execution_complete", {
    toolCallId: "t1",
    toolTelemetry: { metrics: { context_token_limit: 128_000, context_current_tokens: 11_636 } },
  });

  it("has unknown usage and the agent's own estimates where the store cannot be read", () => {
    const lines = [began, said(1, 10), tool];
    assert.equal(mainEvents(lines, "untold")[0]?.figure, "usage");
    assert.equal(mainEvents(lines, "window")[0]?.tokens, 128_000);
    assert.equal(mainEvents(lines, "context")[0]?.tokens, 11_636);
  });

  it("has the store's usage where the store can be read", () => {
    const lines = [began, said(1, 10), tool];
    const kinds = eventsIn(lines, liveRows(new SessionState(), true)).map(([, { kind }]) => kind);
    assert.deepEqual(kinds, ["model", "place", "window"]);
  });

  it("differs from a session with usage before each message", () => {
    const lines = [began, used(1, 1, vector(5, 0, 1)), said(2, 1), tool];
    assert.deepEqual([...mainEvents(lines, "untold"), ...mainEvents(lines, "context")], []);
  });
});

describe("any bytes in a live Copilot session", () => {
  const types =
    "session.start session.resume session.usage_record session.compaction_start session.compaction_complete " +
    "session.model_change session.error user.message assistant.message assistant.turn_start tool.execution_start " +
    "tool.execution_complete tool.user_requested subagent.started subagent.failed abort novelty";
  const members =
    "usage inputTokens outputTokens cacheReadTokens accounting sourceSessionId sequence maxPromptTokens quotaSnapshots " +
    "toolRequests toolCallId name toolName context cwd branch selectedModel newModel currentTokens trigger agentName " +
    "compactionTokensUsed compactionAttemptId content delivery toolTelemetry metrics context_token_limit parentToolCallId __proto__";
  const value = fc.letrec<{ odd: unknown }>((tie) => ({
    odd: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, "", "threshold", 7, 900, "s1"),
      fc.array(tie("odd"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...members.split(" ")), tie("odd"), { maxKeys: 6 }),
    ),
  })).odd;
  const row = fc
    .record({ type: fc.constantFrom(...types.split(" ")), data: value, agentId: value })
    .map((found) => JSON.stringify({ ...found, timestamp: "2026-11-02T09:00:00.000Z" }));

  it("never make it throw, and every line is known, unknown or malformed", () => {
    const line = fc.oneof(
      row,
      fc.string(),
      row.chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const read = liveRows();
        for (const each of lines) {
          const reading = read(each);
          assert.ok(["known", "unknown", "malformed"].includes(reading.outcome));
        }
      }),
    );
    assert.doesNotThrow(() => liveRows()("\uFEFF{\u0000"));
  });

  it("report the tokens of each response once, however often and in whatever order rows repeat", () => {
    const response = fc.record({ input: fc.integer({ min: 1, max: 9 }), output: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(response, { maxLength: 6 }), fc.array(fc.nat(5)), (responses, again) => {
        const lines = responses.map(({ input, output }, at) => used(at, at, vector(input, 0, output)));
        const repeated = again.flatMap((index) => lines[index] ?? []);
        const sum = responses.reduce((total, { input, output }) => total + input + output, 0);
        assert.equal(tokensIn([began, ...lines, ...repeated]), sum);
        assert.equal(tokensIn([began, ...lines.toReversed(), ...repeated]), sum);
      }),
    );
  });
});
