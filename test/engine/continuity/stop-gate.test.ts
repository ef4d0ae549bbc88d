import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "node:test";
import { Gated } from "./support/gated.ts";

describe("the gate at a turn's end", () => {
  it("asks once when there is room and work is open", async () => {
    const gated = new Gated();
    await gated.used("TodoWrite", { todos: [{ status: "completed" }, { status: "pending" }] });
    await gated.edit("/argo/mast.ts");
    assert.equal(
      await gated.hook("Stop"),
      '{"decision":"block","reason":"Context Purser asks once: the turn ends with 80% of the context left and open work: 1 unfinished todo; edits that no check has passed since (mast.ts). If that is meant, say so in a sentence and stop; else finish it."}',
    );
    assert.equal(await gated.hook("Stop"), "");
    await gated.hook("UserPromptSubmit");
    // It already asked about exactly this work.
    assert.equal(await gated.hook("Stop"), "");
    await gated.edit("/argo/sail.ts");
    assert.notEqual(await gated.hook("Stop"), "");
  });

  it("returns nothing if an agent already continues for it, waits, plans, or asks its user", async () => {
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

  it("does not ask with half of the context or less left, nor without open work", async () => {
    const gated = new Gated();
    assert.equal(await gated.hook("Stop"), "");
    await gated.edit("/argo/mast.ts");
    for (const tokens of [100_000, 150_000, 160_000]) {
      gated.tokens = tokens;
      assert.equal(await gated.hook("Stop"), "");
    }
  });

  it("informs only the user when set so, and nobody when off", async () => {
    const gated = new Gated();
    await gated.edit("/argo/mast.ts");
    gated.mode = "off";
    assert.equal(await gated.hook("Stop"), "");
    gated.mode = "advise";
    assert.match(await gated.hook("Stop"), /^\{"systemMessage":"Context Purser: the turn ends with 80%/u);
  });

  it("asks once to sum up with little of the context left, whatever is open", async () => {
    const gated = new Gated();
    gated.advice = "END_TURN";
    gated.tokens = 172_000;
    assert.equal(
      await gated.hook("Stop"),
      '{"decision":"block","reason":"Context Purser asks once: the turn ends with 14% of the context left (172,000 of 200,000 tokens used). Start nothing new. For a new session that goes on, sum up what was asked, what is done and how it was checked, what is open, and the next step; then stop."}',
    );
    assert.equal(await gated.hook("Stop", { stop_hook_active: true }), "");
    await gated.hook("UserPromptSubmit");
    gated.tokens = 190_000;
    await gated.edit("/argo/mast.ts");
    assert.equal(await gated.hook("Stop"), "", "one context is summed up once");
    gated.compactions = 1;
    assert.match(
      await gated.hook("Stop"),
      /5% of the context left .* and open work: edits .*\(mast\.ts\)\. Start nothing new/u,
    );
  });

  it("asks to sum up once the advice is to end the turn, unless the agent waits or asks", async () => {
    const gated = new Gated();
    gated.tokens = 130_000;
    assert.equal(await gated.hook("Stop"), "");
    gated.advice = "WRAP_UP";
    assert.equal(await gated.hook("Stop"), "");
    gated.advice = "END_TURN";
    for (const more of [
      { stop_hook_active: true },
      { permission_mode: "plan" },
      { last_assistant_message: "Go on?" },
    ])
      assert.equal(await gated.hook("Stop", more), "");
    assert.match(await gated.hook("Stop"), /35% of the context left/u);
    const gate = new Gated();
    gate.advice = "END_TURN";
    gate.mode = "advise";
    gate.tokens = 172_000;
    assert.match(
      await gate.hook("Stop"),
      /^\{"systemMessage":"Context Purser: the turn ends with 14% of the context left \(172,000 of 200,000 tokens used\)\. Have the agent sum up, and go on in a new session\."/u,
    );
  });

  it("ignores todos that a person abandoned by going back", async () => {
    const gated = new Gated();
    await gated.used("TodoWrite", { todos: [{ status: "pending" }, { status: "pending" }] });
    gated.todosLeft = 0;
    assert.equal(await gated.hook("Stop"), "");
    gated.todosLeft = 1;
    assert.match(await gated.hook("Stop"), /open work: 1 unfinished todo\./u);
  });

  it("asks the same across any restart of the service", async () => {
    const step = fc.oneof(
      fc.constantFrom("Stop", "UserPromptSubmit"),
      fc.record({
        name: fc.constantFrom("Edit", "TodoWrite", "TaskCreate", "TaskUpdate", "Bash"),
        input: fc.record({
          file_path: fc.constantFrom("/argo/a.ts", "/argo/b.ts"),
          todos: fc.constantFrom([], [{ status: "pending" }]),
          taskId: fc.constantFrom("1", "2"),
          status: fc.constantFrom("completed", "pending"),
          command: fc.constantFrom("npm test", "ls"),
        }),
      }),
      fc.record({ tokens: fc.constantFrom(20_000, 120_000, 170_000), compactions: fc.nat(2) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 }), async (steps) => {
        const [one, other] = [new Gated(), new Gated()];
        for (const [happened, isRestarted] of steps) {
          if (isRestarted) other.restart();
          const messages: string[] = [];
          for (const gated of [one, other]) {
            if (typeof happened === "string") messages.push(await gated.hook(happened));
            else if ("name" in happened) messages.push(await gated.used(happened.name, happened.input));
            else Object.assign(gated, happened);
          }
          assert.equal(messages[1], messages[0]);
        }
      }),
    );
  });

  it("counts a code edit as verified after a suitable command, and a text edit without one", async () => {
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

  it("names the checks of the project that did not run since the last edit", async () => {
    const gated = new Gated();
    gated.checks = [
      { kind: "lint", command: "npm run lint" },
      { kind: "test", command: "npm test" },
    ];
    await gated.edit("/argo/mast.ts");
    await gated.used("Bash", { command: "npx eslint . || true", description: "Lint" });
    assert.equal(await gated.hook("Stop"), "", "a check that passed is enough");
    await gated.edit("/argo/mast.ts");
    assert.match(await gated.hook("Stop"), /\(mast\.ts, not run since: `npm test` and `npm run lint`\)\./u);
    const failing = new Gated();
    failing.checks = gated.checks;
    await failing.edit("/argo/mast.ts");
    await failing.hook("PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      error: "Exit code 1",
    });
    assert.match(await failing.hook("Stop"), /\(mast\.ts, not run since: `npm run lint`\)\./u);
  });

  it("counts tasks that are made and closed one by one", async () => {
    const gated = new Gated();
    await gated.used("TaskCreate", { subject: "Mend" });
    await gated.used("TaskCreate", { subject: "Sail" });
    await gated.used("TaskUpdate", { taskId: "1", status: "completed" });
    assert.match(await gated.hook("Stop"), /1 unfinished todo\./u);
  });

  it("counts a call once that Claude Code reports twice, and each call that others report", async () => {
    const call = { tool_name: "TaskCreate", tool_input: { subject: "Mend" } };
    for (const program of ["claude-code", "copilot"] as const) {
      const gated = new Gated();
      gated.program = program;
      await gated.hook("PostToolUse", call);
      if (program === "claude-code") await gated.hook("PostToolBatch", { tool_calls: [call] });
      assert.match(await gated.hook("Stop"), /1 unfinished todo\./u);
    }
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
      fc.asyncProperty(
        fc.array(fc.oneof(tool, fc.constant(null))),
        fc.nat(200_000),
        async (steps, tokens) => {
          const gated = new Gated();
          gated.tokens = tokens;
          let asked = 0;
          for (const step of steps) {
            if (step === null) asked += (await gated.hook("Stop")) === "" ? 0 : 1;
            else
              await gated.hook("PostToolBatch", {
                tool_calls: [{ tool_name: step[0], tool_input: step[1] }],
              });
          }
          assert.ok(asked <= 1);
        },
      ),
    );
  });
});
