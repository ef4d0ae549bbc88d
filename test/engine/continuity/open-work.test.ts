import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Gated } from "./support/gated.ts";

describe("open work at a turn's end", () => {
  const pending = { todos: [{ content: "Mend", status: "pending" }] };
  const stored = { oldTodos: [], newTodos: pending.todos };
  const batches: readonly (readonly [string, string, object, string])[] = [
    ["refused", "TodoWrite", pending, "The user doesn't want to proceed with this tool use."],
    ["failed", "TodoWrite", pending, "<tool_use_error>InputValidationError: todos</tool_use_error>"],
    ["refused", "TaskCreate", { subject: "Mend" }, "Permission to use TaskCreate has been denied."],
  ];
  for (const [what, tool_name, tool_input, tool_response] of batches)
    it(`ignores a ${what} ${tool_name}, which Claude Code's batches contain like any other call`, async () => {
      const gated = new Gated();
      const call = { tool_name, tool_input, tool_use_id: "t" };
      await gated.hook("PreToolUse", call);
      if (what === "failed") await gated.hook("PostToolUseFailure", { ...call, error: tool_response });
      await gated.hook("PostToolBatch", { tool_calls: [{ ...call, tool_response }] });
      assert.equal(await gated.hook("Stop"), "");
    });

  it("keeps the todos from before a refused call, in both directions", async () => {
    const gated = new Gated();
    await gated.done("TodoWrite", pending, stored);
    const todos = [{ content: "Mend", status: "completed" }];
    const call = { tool_name: "TodoWrite", tool_input: { todos }, tool_use_id: "u" };
    await gated.hook("PreToolUse", call);
    await gated.hook("PostToolUseFailure", { ...call, error: "interrupted", is_interrupt: true });
    await gated.hook("PostToolBatch", { tool_calls: [{ ...call, tool_response: "interrupted" }] });
    assert.match(await gated.hook("Stop"), /1 unfinished todo\./u);
  });

  it("matches tasks by their numbers, whoever creates or closes them", async () => {
    const gated = new Gated();
    const subagent = { agent_id: "a" };
    const updated = (taskId: string) => ({ success: true, taskId, updatedFields: ["status"] });
    const status = (taskId: string, to: string) => ({ taskId, status: to });
    // A task of an earlier session: closing it closes none of this one's.
    await gated.done("TaskUpdate", status("1", "completed"), updated("1"));
    await gated.done("TaskCreate", { subject: "Mend" }, { task: { id: "2", subject: "Mend" } });
    await gated.done("TaskCreate", { subject: "Sail" }, { task: { id: "3", subject: "Sail" } }, subagent);
    await gated.done("TodoWrite", pending, stored, subagent);
    assert.match(await gated.hook("Stop"), /2 unfinished todos\./u);
    await gated.hook("UserPromptSubmit");
    await gated.done("TaskUpdate", status("9", "completed"), {
      success: false,
      taskId: "9",
      updatedFields: [],
      error: "Task not found",
    });
    await gated.done("TaskUpdate", status("3", "completed"), {
      success: false,
      taskId: "3",
      updatedFields: [],
      error: "TaskCompleted hook feedback: no",
    });
    await gated.edit("/argo/mast.ts");
    assert.match(await gated.hook("Stop"), /2 unfinished todos;/u);
    await gated.hook("UserPromptSubmit");
    await gated.done("TaskUpdate", status("3", "completed"), updated("3"), subagent);
    await gated.done("TaskUpdate", status("3", "deleted"), updated("3"));
    await gated.edit("/argo/sail.ts");
    assert.match(await gated.hook("Stop"), /1 unfinished todo;/u);
    await gated.hook("UserPromptSubmit");
    await gated.done("TaskUpdate", status("#3", "in_progress"), updated("3"));
    await gated.edit("/argo/oar.ts");
    assert.match(await gated.hook("Stop"), /2 unfinished todos;/u);
    await gated.hook("UserPromptSubmit");
    const tasks = [{ id: "2", subject: "Mend", status: "completed", blockedBy: [] }];
    await gated.done("TaskList", {}, { tasks });
    await gated.edit("/argo/keel.ts");
    assert.doesNotMatch(await gated.hook("Stop"), /todo/u);
  });

  it("reads every agent's list, and leaves it as it is where the list is only read", async () => {
    const gated = new Gated();
    gated.program = "copilot";
    const use = (tool_name: string, tool_input: object, tool_response: unknown = "ok") =>
      gated.hook("PostToolUse", { tool_name, tool_input, tool_response });
    await use("update_todo", { todos: "- [x] Mend\n- [ ] Sail\n- [ ] Row" });
    await use("manage_todo_list", { operation: "read" });
    await use("write_todos", { todos: [{ description: "Row", status: "pending" }] }, "Error: no such tool");
    await use(
      "write_todos",
      { todos: [{ description: "Row", status: "pending" }] },
      { error: { message: "x" } },
    );
    assert.match(await gated.hook("Stop"), /2 unfinished todos\./u);
    await gated.hook("UserPromptSubmit");
    const todoList = [
      { title: "Mend", status: "not-started" },
      { title: "Sail", status: "cancelled" },
    ];
    await use("manage_todo_list", { operation: "write", todoList });
    assert.match(await gated.hook("Stop"), /1 unfinished todo\./u);
  });
});
