import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { agentInput } from "../../../../src/engine/hooks/event/agent-input.ts";
import { readHook } from "../../../../src/engine/hooks/event/event.ts";
import { sessionReportOf } from "../../../../src/engine/hooks/event/session-report.ts";
import { hookCallers, type HookCaller } from "../../../../src/engine/hooks/program.ts";
import { assert } from "../../support/assert-texts.ts";

function read(caller: HookCaller, told: object) {
  const hook = readHook({ session_id: "s-1", ...told }, caller);
  assert.ok(hook !== null);
  return hook;
}

/** Bodies that the real program posted, with ids and paths replaced. */
function recorded(name: string): unknown[] {
  const text = readFileSync(new URL(`../hook-bodies/${name}.ndjson`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}

function report(caller: HookCaller, told: object) {
  const { event } = read(caller, told);
  return event === null ? null : (sessionReportOf(event, 5)?.event ?? null);
}

describe("input of Gemini CLI", () => {
  it("is read under the names of the other agents", () => {
    for (const [name, expected] of [
      ["SessionStart", "SessionStart"],
      ["BeforeAgent", "UserPromptSubmit"],
      ["BeforeTool", "PreToolUse"],
      ["AfterTool", "PostToolUse"],
      ["AfterAgent", "Stop"],
      ["SessionEnd", "SessionEnd"],
    ])
      assert.equal(read("gemini", { hook_event_name: name }).event?.hook_event_name, expected);
  });

  it("has the tool's answer, the agent's text, and whether it already continues", () => {
    const tool = read("gemini", {
      hook_event_name: "AfterTool",
      tool_name: "run_shell_command",
      tool_response: { llmContent: "Output: hi", returnDisplay: "hi" },
    }).event;
    assert.ok(tool?.hook_event_name === "PostToolUse" && tool.tool_response === "Output: hi");
    const stop = read("gemini", {
      hook_event_name: "AfterAgent",
      prompt_response: "done",
      stop_hook_active: true,
    }).event;
    assert.ok(stop?.hook_event_name === "Stop" && stop.stop_hook_active === true);
    assert.equal(stop.last_assistant_message, "done");
  });

  it("is read from the real program's input", () => {
    const read = recorded("gemini-0.61.0").map((told) => readHook(told, "gemini")?.event?.hook_event_name);
    assert.deepEqual(read, [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "Stop",
      "SessionEnd",
    ]);
  });

  it("before each request is not a compaction", () => {
    assert.equal(report("gemini", { hook_event_name: "PreCompress", trigger: "auto" }), null);
    assert.equal(read("gemini", { hook_event_name: "PreCompress" }).event, null);
  });
});

describe("input of Copilot CLI", () => {
  const agent = { hook_event_name: "PreToolUse", session_id: "a-7", agent_id: "a-7", parent_agent_id: "s-1" };

  it("in a subagent is of the session, and of the subagent", () => {
    const { event, head } = read("copilot", agent);
    assert.deepEqual([event?.session_id, event?.agent_id, head.session_id], ["s-1", "a-7", "s-1"]);
    const nested = {
      ...agent,
      parent_agent_id: "a-6",
      transcript_path: "/u/.copilot/session-state/s-1/events.jsonl",
    };
    assert.equal(read("copilot", nested).event?.session_id, "s-1");
    const windows = { ...nested, transcript_path: String.raw`C:\u\session-state\s-2\events.jsonl` };
    assert.equal(read("copilot", windows).event?.session_id, "s-2");
  });

  it("is read in either spelling", () => {
    const told = {
      agentId: "a-7",
      parentAgentId: "s-1",
      toolName: "bash",
      toolArgs: { command: "ls" },
      toolResult: { resultType: "success", textResultForLlm: "boats" },
    };
    const { event } = read("copilot", { ...told, hookEventName: "PostToolUse" });
    assert.ok(event?.hook_event_name === "PostToolUse");
    assert.deepEqual(
      [event.session_id, event.agent_id, event.tool_name, event.tool_input, event.tool_response],
      ["s-1", "a-7", "bash", { command: "ls" }, "boats"],
    );
  });

  it("of a subagent's start is recognized from the real program's input, which does not mark it", () => {
    const read = recorded("copilot-1.0.102").map((told) => readHook(told, "copilot")?.event ?? null);
    assert.ok(read.every((event) => event !== null));
    const began = read.filter((event) => event.hook_event_name === "SubagentStart");
    const [ended] = read.filter((event) => event.hook_event_name === "SubagentStop");
    assert.equal(began.length, 1);
    assert.deepEqual([began[0]?.session_id, began[0]?.agent_id], [ended?.session_id, ended?.agent_id]);
    const sessions = new Set(read.map((event) => event.session_id));
    assert.equal(sessions.size, 2, "a subagent's tools are of its session");
  });

  it("of an error fails the turn, unless the agent continues", () => {
    const error = { hook_event_name: "ErrorOccurred", error: { message: "too long", name: "Error" } };
    assert.deepEqual(report("copilot", { ...error, recoverable: false }), {
      kind: "failed",
      error: "too long",
      message: null,
    });
    assert.equal(report("copilot", { ...error, recoverable: true }), null);
  });
});

describe("input of Codex", () => {
  it("after a response is how full the context is", () => {
    const usage = {
      input_tokens: 12_000,
      cached_input_tokens: 8400,
      output_tokens: 40,
      total_tokens: 12_040,
    };
    const told = { hook_event_name: "PostModelRequest", model: "gpt-5", turn_id: "t", token_usage: usage };
    assert.deepEqual(report("codex", told), {
      kind: "measured",
      model: "gpt-5",
      window: null,
      occupancy: 12_000,
      source: "the agent's hook after its last response",
      planLimits: [],
      cache: null,
    });
    assert.deepEqual(report("codex", { ...told, kind: "sampling" }), report("codex", told));
    for (const kind of ["foreground_compaction", "background_compaction", "novelty"])
      assert.equal(report("codex", { ...told, kind }), null, "that call did not send the context");
    assert.equal(report("codex", { ...told, agent_id: "a" }), null, "that is of a subagent");
    const failed = report("codex", { ...told, status: "failed", token_usage: null });
    assert.ok(failed?.kind === "measured" && failed.occupancy === null);
  });

  it("names its turn, and that it was interrupted", () => {
    assert.equal(read("codex", { hook_event_name: "Stop", turn_id: "t-1" }).event?.prompt_id, "t-1");
    assert.deepEqual(report("codex", { hook_event_name: "Interrupt" }), { kind: "stopped", message: null });
  });
});

it("Input of VS Code's chat from before it used the common spelling is read too", () => {
  const hook = readHook({ sessionId: "c-1", hookEventName: "Stop", stop_hook_active: true }, "vscode");
  assert.ok(hook?.event?.hook_event_name === "Stop" && hook.event.stop_hook_active === true);
});

it("No agent's input makes it throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...hookCallers), (value, caller) => {
      agentInput(value, caller);
      readHook(value, caller);
    }),
  );
});
