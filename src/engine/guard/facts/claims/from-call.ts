import type { ToolCall } from "../../../hooks/event.ts";
import type { ShellContext } from "../../commands/invocation.ts";
import type { Claim } from "./claim.ts";
import { commandClaims } from "./from-command.ts";
import { fileClaims } from "./from-edit.ts";

/** Returns what a call names that could be missing. */
export function callClaims(call: ToolCall, input: unknown, context: ShellContext): Claim[] {
  if (call.kind === "command") return call.command === null ? [] : commandClaims(call.command, context);
  return call.kind === "read" || call.kind === "edit" ? fileClaims(call, input, context) : [];
}
