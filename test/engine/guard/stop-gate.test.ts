import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { GuardSettings } from "../../../src/engine/guard/guard-settings.ts";
import { hookEvent } from "../../../src/engine/guard/hook-event.ts";
import { HookPipeline } from "../../../src/engine/guard/hook-pipeline.ts";
import { stopGateHandler } from "../../../src/engine/guard/stop-gate.ts";

/** A session's hooks, one after another, with the context as full as is said. */
class Gated {
  mode: GuardSettings["stopGate"] = "ask";
  tokens = 40_000;
  readonly #hooks = new HookPipeline({ add: (_, message) => assert.fail(message) });

  constructor() {
    const adviceOf = () => ({
      ...{ advice: null, tokens: this.tokens, window: 200_000, measuredAt: 1, compactions: 0 },
    });
    this.#hooks.register(stopGateHandler({ mode: () => this.mode, adviceOf }));
  }

  async hook(name: string, more: object = {}): Promise<string> {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", cwd: "/argo", ...more });
    return (await this.#hooks.answer(event, "claude-code")).text;
  }

  used(name: string, input: object): Promise<string> {
    return this.hook("PostToolBatch", { tool_calls: [{ tool_name: name, tool_input: input }] });
  }

  edit(file: string): Promise<string> {
    return this.used("Edit", { file_path: file });
  }
}

describe("the gate at a turn's end", () => {
  it("asks once when there is room and something was left", async () => {
    const gated = new Gated();
    await gated.used("TodoWrite", { todos: [{ status: "completed" }, { status: "pending" }] });
    await gated.edit("/argo/mast.ts");
    assert.equal(
      await gated.hook("Stop"),
      '{"decision":"block","reason":"Context Purser asks once: the turn ends with 80 % of the context left and open work: 1 unfinished todo; edits that no command has checked since (mast.ts). If that is meant, say so in a sentence and stop; else finish it."}',
    );
    assert.equal(await gated.hook("Stop"), "");
    await gated.hook("UserPromptSubmit");
    // Of the very same it has asked.
    assert.equal(await gated.hook("Stop"), "");
    await gated.edit("/argo/sail.ts");
    assert.notEqual(await gated.hook("Stop"), "");
  });

  it("says nothing where an agent goes on for such a reason, waits, plans, or asks its user", async () => {
    const quiet: readonly object[] = [
      { stop_hook_active: true },
      { permission_mode: "plan" },
      { background_tasks: [{ id: "1" }] },
      { last_assistant_message: "Shall I hoist it?" },
    ];
    for (const more of quiet) {
      const gated = new Gated();
      await gated.edit("/argo/mast.ts");
      assert.equal(await gated.hook("Stop", more), "");
    }
  });

  it("keeps nobody going with half of the context or less left, and never without anything open", async () => {
    const gated = new Gated();
    assert.equal(await gated.hook("Stop"), "");
    await gated.edit("/argo/mast.ts");
    for (const tokens of [100_000, 165_000, 199_000]) {
      gated.tokens = tokens;
      assert.equal(await gated.hook("Stop"), "");
    }
  });

  it("tells the user alone where that is set, and nobody where it is off", async () => {
    const gated = new Gated();
    await gated.edit("/argo/mast.ts");
    gated.mode = "off";
    assert.equal(await gated.hook("Stop"), "");
    gated.mode = "advise";
    assert.match(await gated.hook("Stop"), /^\{"systemMessage":"Context Purser: the turn ends with 80 %/u);
  });

  it("takes an edit for verified once a command was run that could tell, and text by itself", async () => {
    const table: readonly (readonly [string, object, boolean])[] = [
      ["Bash", { command: "npm test" }, false],
      ["Bash", { command: "cd /argo && npm test" }, false],
      ["Bash", { command: "git status" }, true],
      ["Bash", { command: "ls && npm test" }, false],
      ["mcp__ide__getDiagnostics", {}, false],
      ["Read", { file_path: "/argo/mast.ts" }, true],
    ];
    for (const [tool, input, isAsked] of table) {
      const gated = new Gated();
      await gated.edit("/argo/mast.ts");
      await gated.edit("/argo/log.md");
      await gated.used(tool, input);
      assert.equal((await gated.hook("Stop")) !== "", isAsked, `${tool} ${JSON.stringify(input)}`);
    }
  });

  it("counts tasks that are made and closed one by one", async () => {
    const gated = new Gated();
    await gated.used("TaskCreate", { subject: "Mend" });
    await gated.used("TaskCreate", { subject: "Sail" });
    await gated.used("TaskUpdate", { taskId: "1", status: "completed" });
    assert.match(await gated.hook("Stop"), /1 unfinished todo\./u);
  });

  it("never asks twice in a turn, whatever tools were used with whatever input", async () => {
    const tool = fc.tuple(
      fc.constantFrom("Edit", "TodoWrite", "TaskUpdate", "TaskCreate", "Bash", "x"),
      fc.oneof(
        fc.anything(),
        fc.record({
          todos: fc.anything(),
          status: fc.string(),
          file_path: fc.string(),
          command: fc.string(),
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(tool, fc.constant(null))), async (steps) => {
        const gated = new Gated();
        let asked = 0;
        for (const step of steps) {
          if (step === null) asked += (await gated.hook("Stop")) === "" ? 0 : 1;
          else
            await gated.hook("PostToolBatch", { tool_calls: [{ tool_name: step[0], tool_input: step[1] }] });
        }
        assert.ok(asked <= 1);
      }),
    );
  });
});
