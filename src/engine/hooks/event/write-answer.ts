import type { HookAnswer } from "./answer.ts";
import type { HookEventName } from "./event.ts";
import type { HookProgram } from "../program.ts";

/** The agent writes a longer text to a file and gives its model the path instead. Characters. */
const longestText = 10_000;

/** The events at which the agent honours each part of an answer, by its documentation of hooks. */
const honoured: Readonly<Record<"context" | "permission" | "block", readonly HookEventName[]>> = {
  context: [
    "SessionStart",
    "Setup",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "SubagentStart",
    "SubagentStop",
    "PostModelSwitch",
  ],
  permission: ["PreToolUse", "PreModelSwitch", "PermissionRequest"],
  block: [
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PostToolUse",
    "PostToolBatch",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "TaskCreated",
    "ConfigChange",
  ],
};

/** Truncates a text: other hooks share the agent's limit with ours. */
function fitting(text: string): string {
  if (text.length <= longestText) return text;
  // A split surrogate pair must not remain: some JSON parsers reject it.
  return text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/u, "");
}

/**
 * Returns the parts of an answer that the agent honours at this event; it would ignore the rest, or report an error.
 */
export function honouredPart(event: HookEventName, answer: HookAnswer): HookAnswer {
  const { context, permission, block, ...rest } = answer;
  return {
    ...rest,
    ...(context !== undefined && honoured.context.includes(event) ? { context: fitting(context) } : {}),
    ...(permission !== undefined && honoured.permission.includes(event) ? { permission } : {}),
    ...(block !== undefined && honoured.block.includes(event) ? { block: fitting(block) } : {}),
  };
}

/** A `PermissionRequest` takes its own form of decision, which has no `ask`. */
function permissionFor(
  event: HookEventName,
  { decision, reason }: NonNullable<HookAnswer["permission"]>,
): Record<string, unknown> {
  if (event !== "PermissionRequest")
    return { permissionDecision: decision, permissionDecisionReason: fitting(reason) };
  if (decision === "ask") return {};
  const message = decision === "deny" ? { message: fitting(reason) } : {};
  return { decision: { behavior: decision, ...message } };
}

/** Formats an answer in the agent's own format: JSON, or empty for no answer. */
export function writeAnswer(event: HookEventName, answer: HookAnswer, program: HookProgram): string {
  const { context, permission, block, stop, notice } = answer;
  // Codex rejects answers with unknown members and has no permission decision: it lets a call run, or blocks it.
  const isBlunt = program === "codex";
  const refusal = block ?? (isBlunt && permission?.decision === "deny" ? permission.reason : undefined);
  // Nor can Codex end a turn before a tool: it would treat the whole answer as an error and run the tool.
  const end = isBlunt && event === "PreToolUse" ? undefined : stop;
  const specific = {
    ...(context === undefined ? {} : { additionalContext: context }),
    ...(permission === undefined || isBlunt ? {} : permissionFor(event, permission)),
  };
  const output = {
    ...(end === undefined ? {} : { continue: false, stopReason: fitting(end) }),
    ...(notice === undefined ? {} : { systemMessage: fitting(notice) }),
    ...(refusal === undefined ? {} : { decision: "block", reason: fitting(refusal) }),
    ...(Object.keys(specific).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: event, ...specific } }),
  };
  return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
}
