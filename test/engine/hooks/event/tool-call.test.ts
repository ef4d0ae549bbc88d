import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toolCallOf, type ToolCall } from "../../../../src/engine/hooks/event/tool-call.ts";

const cases: [string, unknown, ToolCall][] = [
  ["Bash", { command: "npm test" }, { tool: "Bash", kind: "command", command: "npm test" }],
  ["shell", { command: ["npm", "test"] }, { tool: "shell", kind: "command", command: null }],
  ["Edit", { file_path: "/argo/a.ts" }, { tool: "Edit", kind: "edit", file: "/argo/a.ts", text: null }],
  [
    "MultiEdit",
    { file_path: "/argo/a.ts", edits: [{ new_string: "one" }, { new_string: "two" }] },
    { tool: "MultiEdit", kind: "edit", file: "/argo/a.ts", text: "one\ntwo" },
  ],
  [
    "Edit",
    { file_path: "/a", old_string: "one", new_string: "two" },
    { tool: "Edit", kind: "edit", file: "/a", text: "two", removed: "one" },
  ],
  [
    "MultiEdit",
    { file_path: "/a", edits: [{ new_string: "one" }, { old_string: "x", new_string: "two" }] },
    { tool: "MultiEdit", kind: "edit", file: "/a", text: "one\ntwo", removed: "\nx" },
  ],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** Update File: a\n-x\n+y\n" },
    {
      tool: "apply_patch",
      kind: "edit",
      file: "a",
      text: "*** Begin Patch\n*** Update File: a\n-x\n+y\n",
      removed: "x",
    },
  ],
  ["Write", { file_path: "/a", content: "x" }, { tool: "Write", kind: "edit", file: "/a", text: "x" }],
  [
    "NotebookEdit",
    { notebook_path: "/a.ipynb" },
    { tool: "NotebookEdit", kind: "edit", file: "/a.ipynb", text: null },
  ],
  ["apply_patch", {}, { tool: "apply_patch", kind: "edit", file: null, text: null }],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** Update File: src/a.ts\n+x\n" },
    {
      tool: "apply_patch",
      kind: "edit",
      file: "src/a.ts",
      text: "*** Begin Patch\n*** Update File: src/a.ts\n+x\n",
    },
  ],
  [
    "Agent",
    { subagent_type: "scout", name: "jo" },
    { tool: "Agent", kind: "spawn", agentType: "scout", name: "jo" },
  ],
  ["Task", null, { tool: "Task", kind: "spawn", agentType: "general-purpose", name: null }],
  [
    "Task",
    { subagent_type: "x".repeat(201) },
    { tool: "Task", kind: "spawn", agentType: "general-purpose", name: null },
  ],
  [
    "SendMessage",
    { to: "jo", message: "" },
    { tool: "SendMessage", kind: "message", message: { to: "jo", text: "" } },
  ],
  [
    "SendMessage",
    { recipient: "jo", message: "hi" },
    { tool: "SendMessage", kind: "message", message: { to: "jo", text: "hi" } },
  ],
  [
    "SendMessage",
    { to: "jo", message: { type: "end" } },
    { tool: "SendMessage", kind: "message", message: null },
  ],
  [
    "SendMessage",
    { to: "", recipient: "jo", message: "hi" },
    { tool: "SendMessage", kind: "message", message: null },
  ],
  [
    "TodoWrite",
    { todos: [{ status: "pending" }, { status: "completed" }, { status: "in_progress" }, 1] },
    { tool: "TodoWrite", kind: "todos", unfinished: 2 },
  ],
  ["update_plan", { plan: [{ status: "pending" }] }, { tool: "update_plan", kind: "todos", unfinished: 1 }],
  ["TaskCreate", {}, { tool: "TaskCreate", kind: "new-task" }],
  [
    "TaskUpdate",
    { taskId: "1", status: "completed" },
    { tool: "TaskUpdate", kind: "changed-task", taskId: "1", status: "completed" },
  ],
  ["Read", { file_path: "/a" }, { tool: "Read", kind: "read", file: "/a" }],
  ["toString", {}, { tool: "toString", kind: "other" }],
];

describe("a tool call of a hook", () => {
  for (const [name, input, call] of cases)
    it(`${name} ${JSON.stringify(input).slice(0, 60)} is of kind ${call.kind}`, () => {
      assert.deepEqual(toolCallOf({ tool_name: name, tool_input: input }), call);
    });

  it("is returned for any hook input", () => {
    const tools = fc.oneof(fc.constantFrom(...cases.map(([name]) => name)), fc.string());
    fc.assert(
      fc.property(fc.option(tools, { nil: undefined }), fc.anything(), (tool_name, tool_input) => {
        const call = toolCallOf({ tool_name, tool_input });
        assert.equal(call.tool, tool_name ?? "");
        if (call.kind === "spawn") assert.match(call.agentType, /^[^]{1,200}$/u);
        if (call.kind === "todos") assert.ok(Number.isSafeInteger(call.unfinished) && call.unfinished >= 0);
      }),
    );
  });
});
