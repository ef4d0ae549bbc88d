import assert from "node:assert/strict";
import type { GuardSettings } from "../../../../src/engine/settings/guard.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import { stopGateHandler } from "../../../../src/engine/continuity/stop-gate.ts";
import type { ProjectCheck } from "../../../../src/engine/guard/verification/project-checks.ts";
import { Verification } from "../../../../src/engine/guard/verification/verification-handler.ts";
import { readCommand } from "../../../../src/engine/guard/work/read-command.ts";
import { testContext } from "../../guard/support/shell-context.ts";
import type { Advice } from "../../../../src/engine/sessions/advice.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

/** A session's sequence of hooks, with the given occupancy. */
export class Gated {
  mode: GuardSettings["stopGate"] = "ask";
  tokens = 40_000;
  compactions = 0;
  advice: Advice = "CONTINUE";
  /** Todos left after a person went back. Null if nobody did. */
  todosLeft: number | null = null;
  checks: readonly ProjectCheck[] = [];
  readonly #kept = new Restarts((memory) => {
    const hooks = timelessPipeline((_, message) => assert.fail(message));
    const adviceOf = () => ({
      advice: this.advice,
      tokens: this.tokens,
      window: 200_000,
      measuredAt: 1,
      compactions: this.compactions,
      folder: null,
      noteLeft: null,
    });
    const checksOf = () => Promise.resolve(this.checks);
    const verification = new Verification({
      memory,
      checksOf,
      delivery: { deliver: () => null, isSending: () => false },
      read: (command, _folder, shell) => readCommand(command, testContext, shell),
      threshold: () => 4,
    });
    hooks.register(verification.handler);
    const debtOf = (session: string) => verification.of(session);
    hooks.register(
      stopGateHandler({
        mode: () => this.mode,
        adviceOf,
        memory,
        debtOf,
        todosAfterRewind: () => Promise.resolve(this.todosLeft),
        checksOf,
      }),
    );
    return hooks;
  });

  program: HookCaller = "claude-code";

  /** Restarts the service. */
  restart(): void {
    this.#kept.restart();
  }

  async hook(name: string, more: object = {}): Promise<string> {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", cwd: "/argo", ...more });
    return (await this.#kept.handlers.answer(event, this.program)).text;
  }

  used(name: string, input: object): Promise<string> {
    return this.hook("PostToolBatch", { tool_calls: [{ tool_name: name, tool_input: input }] });
  }

  /** A call of Claude Code that has ended well, with its result. */
  async done(
    tool_name: string,
    tool_input: object,
    tool_response: unknown,
    more: object = {},
  ): Promise<void> {
    const call = { tool_name, tool_input, tool_response, tool_use_id: "t" };
    await this.hook("PreToolUse", { ...call, ...more });
    await this.hook("PostToolUse", { ...call, ...more });
    await this.hook("PostToolBatch", { tool_calls: [call], ...more });
  }

  edit(file: string): Promise<string> {
    return this.used("Edit", { file_path: file });
  }
}
