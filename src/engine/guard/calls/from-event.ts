import { toolCallOf } from "../../hooks/event/tool-call.ts";
import type { GuardedCall } from "./find-hits.ts";

interface ToolUse {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
}

/** Returns the call as guard rules look at it; null for a tool that none of them concerns. */
export function guardedCall(event: ToolUse): GuardedCall | null {
  const call = toolCallOf(event);
  if (call.kind === "command") {
    const shell = call.tool.toLowerCase() === "powershell" ? "powershell" : "posix";
    return call.command === null ? null : { kind: "command", command: call.command, shell };
  }
  if (call.kind !== "edit" && call.kind !== "read") return null;
  if (call.file === null) return null;
  const { kind, file } = call;
  return kind === "edit"
    ? { kind: "file", tool: kind, file, content: call.text, removed: call.removed ?? null }
    : { kind: "file", tool: kind, file, content: null };
}
