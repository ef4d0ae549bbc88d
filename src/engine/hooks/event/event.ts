import * as z from "zod/mini";
import type { HookCaller } from "../program.ts";
import { agentInput } from "./agent-input.ts";

/**
 * Hook input in the names of Claude Code and Codex, so that each can be looked up in their documentation; see `agent-input.ts` for the
 * other agents. A missing or mistyped member is undefined; unknown members are dropped.
 */
const text = z.catch(z.optional(z.string()), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);
const number = z.catch(z.optional(z.number()), undefined);
const anything = z.optional(z.unknown());

const common = {
  session_id: z.string().check(z.minLength(1), z.maxLength(256)),
  /** Id of the user's last prompt. */
  prompt_id: text,
  transcript_path: text,
  cwd: text,
  permission_mode: text,
  /** Both are set only inside a subagent; the type alone also where the session itself is such an agent. */
  agent_id: text,
  agent_type: text,
};

const tool = { tool_name: text, tool_input: anything, tool_use_id: text };
const stop = { stop_hook_active: flag, last_assistant_message: text };
const task = { task_id: text, task_subject: text, teammate_name: text };
const modelSwitch = {
  from_model: text,
  to_model: text,
  source: text,
  /** Context size after the last response of the main chain, including its output. Tokens. */
  context_tokens: number,
};

const lineUsage = z.object({
  input_tokens: z.number(),
  cache_creation_input_tokens: z.catch(z.number(), 0),
  cache_read_input_tokens: z.catch(z.number(), 0),
});
/** Token usage of one of Codex's responses. `input_tokens` includes the cached ones. */
const modelUsage = z.object({ input_tokens: z.number().check(z.nonnegative()) });
/**
 * Used share in percent; reset time in seconds since the epoch. Only a spending limit has dollars and a
 * period.
 */
const planLimit = z.object({
  used_percentage: z.number(),
  resets_at: number,
  used_usd: number,
  limit_usd: number,
  period: text,
});
/** The agent's figures for its cached context. Tokens, and seconds since the epoch. */
const promptCache = z.object({
  warm: z.boolean(),
  caching_observed: flag,
  ttl: text,
  expires_at: number,
  /** Null from a compaction to the next response. */
  recache_tokens_if_cold: z.catch(z.nullish(z.number().check(z.nonnegative())), undefined),
});

const calledTool = z.object({
  tool_name: text,
  tool_input: anything,
  tool_use_id: text,
  tool_response: anything,
});

export const hookEvent = z.discriminatedUnion("hook_event_name", [
  eventOf("SessionStart", { source: text, model: text, context_tokens: number }),
  eventOf("Setup", { trigger: text }),
  eventOf("SessionEnd", { reason: text }),
  eventOf("InstructionsLoaded", { file_path: text, load_reason: text }),
  eventOf("ConfigChange", { source: text }),
  eventOf("CwdChanged", {}),
  eventOf("DirectoryAdded", {}),
  eventOf("FileChanged", {}),
  eventOf("WorktreeCreate", {}),
  eventOf("WorktreeRemove", {}),
  eventOf("UserPromptSubmit", { prompt: text }),
  eventOf("UserPromptExpansion", {}),
  eventOf("MessageDisplay", {}),
  eventOf("Stop", { ...stop, background_tasks: z.catch(z.optional(z.array(z.unknown())), undefined) }),
  eventOf("StopFailure", { error: text, last_assistant_message: text }),
  eventOf("Notification", { message: text, notification_type: text }),
  eventOf("PreToolUse", tool),
  /** Claude Code: a shell command in a skill's text is about to run. No other hook reports it. */
  eventOf("PreSkillShellCommand", tool),
  eventOf("PermissionRequest", tool),
  eventOf("PermissionDenied", tool),
  eventOf("PostToolUse", { ...tool, tool_response: anything, duration_ms: number }),
  eventOf("PostToolUseFailure", { ...tool, error: text, is_interrupt: flag, duration_ms: number }),
  eventOf("PostToolBatch", { tool_calls: z.catch(z.optional(z.array(calledTool)), undefined) }),
  eventOf("Elicitation", {}),
  eventOf("ElicitationResult", {}),
  /** Copilot CLI: an error after which it continues. */
  eventOf("ErrorOccurred", { error: text }),
  /** Codex: the user interrupted the turn. */
  eventOf("Interrupt", {}),
  /**
   * Codex: after each response of the model. Since 0.171 also after one that writes a compaction's summary,
   * marked by `kind`.
   */
  eventOf("PostModelRequest", {
    model: text,
    kind: text,
    token_usage: z.catch(z.optional(modelUsage), undefined),
  }),
  eventOf("SubagentStart", {}),
  eventOf("SubagentStop", { ...stop, agent_transcript_path: text }),
  eventOf("TaskCreated", task),
  eventOf("TaskCompleted", task),
  eventOf("TeammateIdle", { teammate_name: text }),
  eventOf("PreCompact", { trigger: text }),
  /** The summary is the model's whole reply; its beginning may be left out of the context. */
  eventOf("PostCompact", { trigger: text, compact_summary: text }),
  eventOf("PreModelSwitch", modelSwitch),
  eventOf("PostModelSwitch", modelSwitch),
  /** Not a hook of any agent: the agent's status line input, which purser's program forwards. */
  eventOf("StatusLine", {
    model: z.catch(z.optional(z.object({ id: text })), undefined),
    context_window: z.catch(
      z.optional(
        z.object({
          context_window_size: number,
          /** Null before the first response; null or zeros from a compaction to the next response. */
          current_usage: z.catch(z.nullish(lineUsage), undefined),
        }),
      ),
      undefined,
    ),
    rate_limits: z.catch(
      z.optional(z.record(z.string().check(z.maxLength(60)), z.catch(z.optional(planLimit), undefined))),
      undefined,
    ),
    prompt_cache: z.catch(z.optional(promptCache), undefined),
  }),
]);

export type HookEvent = z.infer<typeof hookEvent>;
export type HookEventName = HookEvent["hook_event_name"];
export type EventNamed<Name extends HookEventName> = Extract<HookEvent, { hook_event_name: Name }>;

const hookHead = z.object({
  hook_event_name: z.string().check(z.minLength(1), z.maxLength(100)),
  session_id: common.session_id,
  agent_id: text,
  tool_name: text,
  tool_use_id: text,
});

type HookHead = z.infer<typeof hookHead>;

export interface ReadHook {
  readonly head: HookHead;
  /** Null for an unknown event: agents add new ones. */
  readonly event: HookEvent | null;
}

/** Returns null for a value that is not hook input at all. @param caller the program that sends it */
export function readHook(value: unknown, caller: HookCaller = "claude-code"): ReadHook | null {
  const input = agentInput(value, caller);
  const head = hookHead.safeParse(input);
  return head.success ? { head: head.data, event: hookEvent.safeParse(input).data ?? null } : null;
}

export function isNamed<Name extends HookEventName>(
  event: HookEvent,
  names: readonly Name[],
): event is EventNamed<Name> {
  return names.some((name) => name === event.hook_event_name);
}

function eventOf<Name extends string, Shape extends z.core.$ZodLooseShape>(name: Name, shape: Shape) {
  return z.object({ hook_event_name: z.literal(name), ...common, ...shape });
}
