import type { HookEvent } from "../../hooks/event/event.ts";
import { toolKind } from "../../transcripts/tool-kind.ts";
import type { PastEvent } from "../../transcripts/past/past.ts";

/** A call of the past, of which the result is still to come. */
export type PastCall = Extract<PastEvent, { kind: "call" }>;

/** Returns the hook that an agent would have sent for a part of its past; null where there is none. @param call the call of a result */
export function pastHook(event: PastEvent, call: PastCall | null): HookEvent | null {
  const common = {
    session_id: event.sessionId.slice(0, 256),
    ...(event.agentId === null ? {} : { agent_id: event.agentId }),
    ...(event.folder === null ? {} : { cwd: event.folder }),
  };
  switch (event.kind) {
    case "prompt":
      return { ...common, hook_event_name: "UserPromptSubmit", prompt: event.text };
    case "compaction":
      return { ...common, hook_event_name: "PostCompact" };
    case "response":
    case "reply":
    case "summary":
    case "rewind":
      return null;
    case "call":
      return { ...common, hook_event_name: "PreToolUse", ...toolOf(event) };
    case "result": {
      if (call === null) return null;
      const tool = { ...common, ...toolOf(call) };
      if (event.isError === true)
        return { ...tool, hook_event_name: "PostToolUseFailure", error: event.text };
      const isCommand = toolKind(call.tool) === "command" && event.isError === false;
      const response = isCommand ? { stdout: event.text, stderr: "", interrupted: false } : event.text;
      return { ...tool, hook_event_name: "PostToolUse", tool_response: response };
    }
  }
}

function toolOf({ id, tool, input }: PastCall) {
  return { tool_name: tool, tool_input: input, tool_use_id: id };
}
