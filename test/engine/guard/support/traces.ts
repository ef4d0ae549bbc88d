import * as z from "zod";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { SentAdvice, FindingDelivery } from "../../../../src/engine/guard/delivery.ts";
import { readCommand } from "../../../../src/engine/guard/work/read-command.ts";
import type { ReadCommand } from "../../../../src/engine/guard/work/command-facts.ts";
import { hookEvent, type HookEventName } from "../../../../src/engine/hooks/event/event.ts";
import type { HookPipeline } from "../../../../src/engine/hooks/pipeline.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import { guardModes } from "../../../../src/engine/settings/guard.ts";
import { testContext } from "./shell-context.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

/** Hooks of made-up sessions, answered by handlers that speak through one delivery. */
export class Trace {
  mode: (typeof guardModes)[number] = "on";
  program: HookCaller = "claude-code";
  isAttended = true;
  readonly recorded: GuardHitEntry[] = [];
  readonly #hooks = timelessPipeline((_, message) => {
    throw new Error(message);
  });

  constructor(
    register: (
      hooks: HookPipeline,
      parts: {
        readonly delivery: FindingDelivery;
        readonly memory: SessionMemory;
        readonly read: ReadCommand;
      },
    ) => void,
    memory = new SessionMemory(),
  ) {
    const delivery = new FindingDelivery({
      memory,
      modeOf: () => this.mode,
      record: (entries) => this.recorded.push(...entries),
      isExcepted: () => false,
      isSilent: () => false,
      sent: new SentAdvice(memory),
      now: () => 1000,
    });
    register(this.#hooks, {
      delivery,
      memory,
      read: (command, folder, shell) => readCommand(command, { ...testContext, folder }, shell),
    });
  }

  /** Returns the agent's answer, parsed; null for none. */
  async hook(name: HookEventName, more: object = {}): Promise<Record<string, unknown> | null> {
    const event = hookEvent.parse({
      hook_event_name: name,
      session_id: "s",
      cwd: testContext.folder,
      ...more,
    });
    const { isAttended } = this;
    const about = { hasTeams: false, isPosted: false, isAttended, signal: new AbortController().signal };
    const { text } = await this.#hooks.answer(event, this.program, about);
    return text === "" ? null : z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  }

  /** A call that succeeded, with its output. */
  done(tool: string, input: object, output: unknown = "", more: object = {}) {
    const tool_response = tool === "Bash" ? { stdout: output, stderr: "", interrupted: false } : { output };
    return this.hook("PostToolUse", { tool_name: tool, tool_input: input, tool_response, ...more });
  }

  failed(tool: string, input: object, error: string, more: object = {}) {
    return this.hook("PostToolUseFailure", { tool_name: tool, tool_input: input, error, ...more });
  }
}

/** What an answer tells the agent; empty for nothing. */
export function sentIn(answer: Record<string, unknown> | null): string {
  const specific: unknown = answer?.["hookSpecificOutput"];
  if (typeof specific !== "object" || specific === null) return "";
  const context: unknown = Reflect.get(specific, "additionalContext");
  return typeof context === "string" ? context : "";
}
