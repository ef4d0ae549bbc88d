import type { HookAnswer } from "./answer.ts";
import type { HookEventName } from "./event.ts";
import type { HookProgram } from "../program.ts";

/** The agent writes a longer text to a file, and shows its model where. Characters. */
const longestText = 10_000;

/** Which part of an answer the agent takes note of, at which event. See its documentation of hooks. */
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

/** Texts that other hooks share with ours are not ours to lengthen beyond measure. */
function fitting(text: string): string {
  if (text.length <= longestText) return text;
  // No half of a surrogate pair may remain: some readers of JSON refuse it.
  return text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/u, "");
}

/** What of an answer an agent takes note of at this event: the rest would be passed over, or taken for an error. */
export function honouredPart(event: HookEventName, answer: HookAnswer): HookAnswer {
  const { context, permission, block, ...rest } = answer;
  return {
    ...rest,
    ...(context !== undefined && honoured.context.includes(event) ? { context: fitting(context) } : {}),
    ...(permission !== undefined && honoured.permission.includes(event) ? { permission } : {}),
    ...(block !== undefined && honoured.block.includes(event) ? { block: fitting(block) } : {}),
  };
}

/** What answers the agent's own question has a form of its own, and knows no asking. */
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

/** An answer in the agent's own words: JSON, or nothing at all. */
export function writeAnswer(event: HookEventName, answer: HookAnswer, program: HookProgram): string {
  const { context, permission, block, stop, notice } = answer;
  // Codex refuses an answer with members it does not know, and knows no permission: it lets a call be, or blocks it.
  const isBlunt = program === "codex";
  const refusal = block ?? (isBlunt && permission?.decision === "deny" ? permission.reason : undefined);
  // Nor does it know how to end a turn before a tool: it would take the whole answer for an error, and run the tool.
  const end = isBlunt && event === "PreToolUse" ? undefined : stop;
  const specific = {
    ...(context === undefined ? {} : { additionalContext: context }),
    ...(permission === undefined || isBlunt ? {} : permissionFor(event, permission)),
  };
  const told = {
    ...(end === undefined ? {} : { continue: false, stopReason: fitting(end) }),
    ...(notice === undefined ? {} : { systemMessage: fitting(notice) }),
    ...(refusal === undefined ? {} : { decision: "block", reason: fitting(refusal) }),
    ...(Object.keys(specific).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: event, ...specific } }),
  };
  return Object.keys(told).length === 0 ? "" : JSON.stringify(told);
}
