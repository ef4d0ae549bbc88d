import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { addLimit } from "../../../../src/engine/guard/waste/bounded-command.ts";
import { limitHandler } from "../../../../src/engine/guard/waste/limits-handler.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { GuardMode } from "../../../../src/engine/settings/guard.ts";
import { testContext } from "../support/shell-context.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

interface Setup {
  readonly mode?: GuardMode;
  readonly isWanted?: boolean;
  readonly program?: HookCaller;
  readonly excepted?: string;
}

async function answered(
  tool_name: string,
  tool_input: unknown,
  { mode = "on", isWanted = true, program = "claude-code", excepted }: Setup = {},
) {
  const recorded: GuardHitEntry[] = [];
  const hooks = timelessPipeline((_, message) => assert.fail(message));
  hooks.register(
    limitHandler({
      isWanted: () => isWanted,
      modeOf: () => mode,
      isExcepted: (_, text) => text === excepted,
      record: (entries) => recorded.push(...entries),
      addLimit: (command) => Promise.resolve(addLimit(command, testContext)),
      sizeOf: (file) => Promise.resolve(file.includes("huge") ? 2_000_000 : 2000),
      now: () => 1000,
    }),
  );
  const event = hookEvent.parse({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/home/ann/shop",
    tool_name,
    tool_input,
  });
  const { text } = await hooks.answer(event, program);
  const answer: unknown = text === "" ? null : JSON.parse(text);
  return { answer, done: recorded.map((entry) => entry.done) };
}

const log = { command: "git log", description: "See the log", timeout: 9 };

test("adds a limit to the whole input, and tells the agent how to get more", async () => {
  const { answer, done } = await answered("Bash", log);
  assert.deepEqual(answer, {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      additionalContext:
        "Context Purser (limit-added): `-n 50` was added to this command, as its output has no bound: it may have more than is shown. For more, give a number yourself.",
      updatedInput: { ...log, command: "git log -n 50" },
    },
  });
  assert.deepEqual(done, ["advised"]);
});

test("agents get the limit in their own form, or none if they show no note", async () => {
  const copilot = await answered("bash", log, { program: "copilot" });
  assert.match(JSON.stringify(copilot.answer), /"modifiedArgs":\{"command":"git log -n 50","description"/u);
  for (const program of ["codex", "gemini", "vscode"] as const) {
    const { answer, done } = await answered("Bash", log, { program });
    assert.deepEqual([answer, done], [null, []], program);
  }
});

test("changes nothing unless limits and waste are on", async () => {
  assert.deepEqual(await answered("Bash", log, { isWanted: false }), { answer: null, done: [] });
  assert.deepEqual(await answered("Bash", log, { mode: "off" }), { answer: null, done: [] });
  assert.deepEqual(await answered("Bash", log, { mode: "observe" }), { answer: null, done: ["observed"] });
  assert.deepEqual(await answered("Bash", log, { excepted: "git log" }), { answer: null, done: [] });
});

test("reads the first lines of a huge file, unless the call names lines", async () => {
  const huge = { file_path: "/home/ann/shop/huge.txt" };
  const { answer } = await answered("Read", huge);
  assert.match(JSON.stringify(answer), /has 2000 kB, so only its first 500 lines .*"limit":500/u);
  const viewed = await answered("view", { path: "/a/huge.txt" }, { program: "copilot" });
  assert.match(
    JSON.stringify(viewed.answer),
    /"modifiedArgs":\{"path":"\/a\/huge.txt","view_range":\[1,500\]\}/u,
  );
  for (const [tool, input] of [
    ["Read", { ...huge, limit: 5000 }],
    ["Read", { ...huge, offset: 3 }],
    ["Read", { file_path: "/a/small.txt" }],
    ["Read", { file_path: "/a/huge.pdf" }],
    ["Read", { file_path: "/a/huge.pdf", pages: "1" }],
    ["Read", {}],
    ["Read", null],
    ["NotebookRead", huge],
    ["Write", { ...huge, content: "git log" }],
    ["PowerShell", { command: "git log" }],
  ] as const)
    assert.equal((await answered(tool, input)).answer, null, JSON.stringify(input));
});
