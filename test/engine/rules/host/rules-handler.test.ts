import assert from "node:assert/strict";
import test from "node:test";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import { defaultHookContext, type HookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { HookProgram } from "../../../../src/engine/hooks/program.ts";
import { rulesNudgeHandler } from "../../../../src/engine/rules/host/rules-handler.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

/** Sessions that start while this many unannounced rules wait. */
class StartedService {
  waiting: number | null = 2;
  asked = 0;
  program: HookProgram = "claude-code";
  readonly #kept = new Restarts((memory) => {
    const hooks = timelessPipeline((_, message) => assert.fail(message));
    const claim = () => {
      this.asked += 1;
      const reported = this.waiting;
      this.waiting = reported === null ? null : 0;
      return reported;
    };
    hooks.register(rulesNudgeHandler({ claim, memory }));
    return hooks;
  });

  restart(): void {
    this.#kept.restart();
  }

  async hook(name: string, more: object = {}, about: HookContext = defaultHookContext): Promise<string> {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", ...more });
    return (await this.#kept.handlers.answer(event, this.program, about)).text;
  }
}

const line =
  "Context Purser: 2 rules for your agents wait for you: Review Rules in VS Code, or purser rules list in a terminal.";

test("The user gets one line when a session starts, and not again for the same claim", async () => {
  const begun = new StartedService();
  assert.equal(
    await begun.hook("SessionStart", { source: "startup" }),
    JSON.stringify({ systemMessage: line }),
  );
  assert.equal(await begun.hook("SessionStart", { source: "startup" }), "");
});

test("A session with an unnoticed start gets the line with its first prompt, and not later", async () => {
  const begun = new StartedService();
  begun.waiting = null;
  assert.equal(await begun.hook("SessionStart"), "");
  assert.equal(await begun.hook("UserPromptSubmit"), "", "the ledger is not open yet");
  begun.waiting = 2;
  assert.match(await begun.hook("UserPromptSubmit"), /2 rules/u);
  begun.waiting = 2;
  assert.equal(await begun.hook("UserPromptSubmit"), "", "its first prompt was before");
  begun.restart();
  assert.equal(await begun.hook("UserPromptSubmit"), "", "also for another service");
  assert.match(await begun.hook("UserPromptSubmit", { session_id: "other" }), /2 rules/u);
});

test("Nothing is claimed if nobody would read it", async () => {
  const begun = new StartedService();
  await begun.hook("SessionStart", { agent_id: "a1" });
  await begun.hook("SessionStart", { source: "compact" });
  await begun.hook("SessionStart", {}, { ...defaultHookContext, isAttended: false });
  begun.program = "copilot";
  await begun.hook("SessionStart");
  assert.deepEqual([begun.asked, begun.waiting], [0, 2]);
  begun.program = "codex";
  assert.equal(await begun.hook("SessionStart"), JSON.stringify({ systemMessage: line }));
});
