import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { HookAnswer } from "../../../../src/engine/hooks/event/hooks-answer.ts";
import { hookEvent, readHook, type HookEvent } from "../../../../src/engine/hooks/event/event.ts";
import { honouredPart, isHonoured, writeAnswer } from "../../../../src/engine/hooks/event/write-answer.ts";
import { hookCallers, type HookCaller } from "../../../../src/engine/hooks/program.ts";
import { answerSchema } from "./answer-schemas.ts";
import { timelessPipeline } from "../support/timeless-pipeline.ts";

function event(name: string, more: object = {}): HookEvent {
  return hookEvent.parse({ hook_event_name: name, session_id: "s", ...more });
}

function written(name: string, answer: HookAnswer, caller: HookCaller, more: object = {}): unknown {
  const asked = event(name, more);
  const text = writeAnswer(asked.hook_event_name, honouredPart(asked, answer, caller), caller);
  return text === "" ? null : JSON.parse(text);
}

const refused = {
  permission: { decision: "deny", reason: "It is used up." },
  stop: "The turn ends.",
} as const;
const notes = { context: "Wrap up.", notice: "Look." };
const kept = { block: "Not yet." };

describe("an answer, as each agent takes it", () => {
  it("never replaces a script's input or output, nor the script; decisions and notices stay", () => {
    const output = { text: "short", response: "short" };
    const answer = { input: { command: "git log -n 50" }, output, context: "Look.", ...refused, ...kept };
    for (const caller of hookCallers)
      for (const name of ["PreToolUse", "PostToolUse"])
        for (const id of ["toolu_cc_98c950be", "exec-0b7e3c2a-0000-4000-8000-000000000001"]) {
          const model = honouredPart(event(name, { tool_use_id: "toolu_1" }), answer, caller);
          const nested = honouredPart(event(name, { tool_use_id: id }), answer, caller);
          assert.deepEqual([nested.input, nested.output], [undefined, undefined], `${caller} ${name}`);
          assert.deepEqual(nested.permission, model.permission);
          if (name === "PreToolUse") continue;
          assert.equal(nested.block, undefined);
          if (model.block !== undefined) assert.equal(nested.context, "Not yet.\nLook.", caller);
        }
    const repl = event("PreToolUse", { tool_name: "REPL", tool_use_id: "toolu_1" });
    assert.equal(honouredPart(repl, answer, "claude-code").input, undefined);
  });

  it("denies a tool and ends the turn, where a tool's hook can end it", () => {
    assert.deepEqual(written("PreToolUse", refused, "claude-code"), {
      continue: false,
      stopReason: "The turn ends.",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "It is used up.",
      },
    });
    assert.deepEqual(written("PreToolUse", refused, "gemini"), {
      continue: false,
      stopReason: "The turn ends.",
      decision: "deny",
      reason: "It is used up.",
    });
    assert.deepEqual(written("PreToolUse", refused, "copilot"), {
      permissionDecision: "deny",
      permissionDecisionReason: "It is used up.",
    });
    // Codex would take the end of a turn there for an error, and run the tool.
    assert.deepEqual(written("PreToolUse", refused, "codex"), {
      decision: "block",
      reason: "It is used up.",
    });
    assert.deepEqual(written("UserPromptSubmit", { stop: "Over." }, "codex"), {
      continue: false,
      stopReason: "Over.",
    });
  });

  it("adds to the context after a tool, in the names of each", () => {
    const specific = (name: string) => ({
      hookSpecificOutput: { hookEventName: name, additionalContext: "Wrap up." },
    });
    assert.deepEqual(written("PostToolUse", notes, "codex"), {
      systemMessage: "Look.",
      ...specific("PostToolUse"),
    });
    assert.deepEqual(written("PostToolUse", notes, "gemini"), {
      systemMessage: "Look.",
      ...specific("AfterTool"),
    });
    assert.deepEqual(written("PostToolUse", notes, "vscode"), {
      systemMessage: "Look.",
      ...specific("PostToolUse"),
    });
    assert.deepEqual(written("PostToolUse", notes, "copilot"), { additionalContext: "Wrap up." });
    const replaced = { context: "Wrap up.", output: { text: "short", response: "short" } };
    assert.deepEqual(
      written("PostToolUse", replaced, "gemini"),
      { decision: "deny", reason: "short\nWrap up." },
      "context beside another output would be dropped",
    );
    assert.equal(written("PreToolUse", { context: "Wrap up." }, "gemini"), null, "it would be ignored");
  });

  it("asks only if a person sees the question, so that nothing hangs", () => {
    const question = { permission: { decision: "ask", reason: "May it?" } } as const;
    for (const caller of hookCallers) {
      const isAsked = caller === "claude-code" || caller === "vscode";
      assert.equal(written("PreToolUse", question, caller) !== null, isAsked, caller);
    }
  });

  it("keeps an agent from stopping, but only once", () => {
    assert.deepEqual(written("Stop", kept, "codex"), { decision: "block", reason: "Not yet." });
    assert.deepEqual(written("Stop", kept, "gemini"), { decision: "deny", reason: "Not yet." });
    assert.deepEqual(written("Stop", kept, "copilot"), { decision: "block", reason: "Not yet." });
    assert.deepEqual(written("Stop", kept, "vscode"), {
      hookSpecificOutput: { hookEventName: "Stop", decision: "block", reason: "Not yet." },
    });
    for (const caller of hookCallers)
      assert.equal(written("Stop", kept, caller, { stop_hook_active: true }), null, caller);
  });

  it("asks only Claude Code, in plain text, to keep something in a summary", () => {
    assert.equal(writeAnswer("PreCompact", { context: "Keep the tide." }, "claude-code"), "Keep the tide.");
    for (const caller of hookCallers)
      assert.equal(isHonoured("context", "PreCompact", caller), caller === "claude-code", caller);
  });

  it("is nothing where Codex only lets look", () => {
    for (const name of ["PostModelRequest", "Interrupt", "PreCompact", "PostCompact"])
      assert.equal(written(name, { ...refused, ...notes, ...kept }, "codex"), null, name);
  });
});

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }),
  fc.constant("🚢".repeat(6000)),
);
const answers: fc.Arbitrary<HookAnswer> = fc.record(
  {
    context: text,
    block: text,
    stop: text,
    notice: text,
    rule: text,
    permission: fc.record({
      decision: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
      reason: text,
    }),
  },
  { requiredKeys: [] },
);
/** Event names of all agents, and unknown names. */
const names = fc.constantFrom(
  ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"],
  ...["SubagentStart", "SubagentStop", "Stop", "StopFailure", "PreCompact", "PostCompact", "SessionEnd"],
  ...["PostModelRequest", "Interrupt", "ErrorOccurred", "PermissionRequest", "Notification", "StatusLine"],
  ...["BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "AfterModel", "PreCompress", "BeforeModel"],
  ...["sessionStart", "preToolUse", "agentStop", "toString", "__proto__", ""],
);
const members = fc.constantFrom(
  ...[
    "sessionId",
    "session_id",
    "agentId",
    "agent_id",
    "parent_agent_id",
    "parentAgentId",
    "transcript_path",
  ],
  ...[
    "transcriptPath",
    "stop_hook_active",
    "stopHookActive",
    "tool_name",
    "toolName",
    "tool_input",
    "toolArgs",
  ],
  ...[
    "tool_response",
    "toolResult",
    "tool_result",
    "prompt",
    "prompt_response",
    "cwd",
    "timestamp",
    "turn_id",
  ],
  ...["error", "recoverable", "token_usage", "tool_calls", "__proto__", "hookEventName"],
);
const paths = fc.constantFrom(
  "/u/session-state/s-9/events.jsonl",
  "C:\\u\\session-state\\s-9\\e",
  "/session-state//",
);
const values = fc.oneof(fc.jsonValue({ maxDepth: 3 }), paths, fc.constant(true), fc.constant("s-1"));
const inputs = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc
    .tuple(names, fc.string({ minLength: 1, maxLength: 4 }), fc.dictionary(members, values, { maxKeys: 8 }))
    .map(([name, id, more]): unknown => ({ session_id: id, ...more, hook_event_name: name })),
);

it("For any input and any handler's answer, the result is one that the agent accepts", async () => {
  const asked = fc.asyncProperty(
    inputs,
    fc.constantFrom(...hookCallers),
    answers,
    async (input, caller, answer) => {
      const read = readHook(input, caller);
      const event = read?.event ?? null;
      if (event === null) return;
      const name = event.hook_event_name;
      const hooks = timelessPipeline((_, problem) => assert.fail(problem));
      hooks.register({ name: "one", events: [name], budget: 100, answer: () => answer });
      const answered = await hooks.answer(event, caller);
      if (answered.text === "") return;
      // Anything printed there is added to the instructions for the summary.
      if (name === "PreCompact" && caller === "claude-code" && answered.injected > 0) {
        assert.ok(answer.context?.startsWith(answered.text));
        return;
      }
      const schema = answerSchema(caller, name);
      assert.ok(schema !== undefined, `${caller} takes nothing at ${name}: ${answered.text.slice(0, 200)}`);
      const checked = schema.safeParse(JSON.parse(answered.text));
      assert.ok(
        checked.success,
        `${caller} ${name}: ${answered.text.slice(0, 200)}: ${checked.error?.message ?? ""}`,
      );
      assert.ok(Buffer.from(answered.text).toString("utf8") === answered.text, "no half a character is left");
      const isKept = "stop_hook_active" in event && event.stop_hook_active === true;
      if (isKept) assert.notEqual(answered.outcome, "block");
      assert.equal(
        answered.injected > 0,
        answer.context !== undefined && isHonoured("context", name, caller),
      );
    },
  );
  await fc.assert(asked, { numRuns: 2000 });
});
