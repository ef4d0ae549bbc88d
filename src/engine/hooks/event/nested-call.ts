import type { HookEvent } from "./event.ts";

type CallEvent = Pick<HookEvent, "hook_event_name"> & {
  readonly tool_name?: string | undefined;
  readonly tool_use_id?: string | undefined;
};

/** Id prefixes of nested calls: in Claude Code's code mode, and in Codex's. No other member marks them. */
const nestedIds = ["toolu_cc_", "exec-"];
/** The tool that takes a script. Codex sends no hook for its own. */
const scriptTool = "REPL";

/**
 * Whether a tool call comes from a script and not from the model. The script reads the output as data and no
 * context holds it. So the output must stay complete, and a smaller one would save nothing.
 */
export function isNestedCall({ tool_use_id: id = "" }: Pick<CallEvent, "tool_use_id">): boolean {
  return nestedIds.some((start) => id.startsWith(start));
}

/** Tests whether the model runs a script by a call. */
export function isScript({ tool_name: tool }: Pick<CallEvent, "tool_name">): boolean {
  return tool === scriptTool;
}

/** Tests whether the input or the output of a call is program text or data, which an answer must not replace. */
export function isData(part: "input" | "output", event: CallEvent): boolean {
  return isNestedCall(event) || (part === "input" && isScript(event));
}
