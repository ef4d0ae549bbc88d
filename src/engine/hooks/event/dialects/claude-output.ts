import type { HookAnswer } from "../hooks-answer.ts";
import type { HookEventName } from "../event.ts";
import { ending, memberOf, refusal, specific, type Dialect } from "./dialect.ts";

/** Source: its documentation of hooks. */
export const claudeOutput: Dialect = {
  maxTextLength: 10_000,
  honoured: {
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
      "PreCompact",
    ],
    permission: ["PreToolUse", "PreSkillShellCommand", "PreModelSwitch", "PermissionRequest"],
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
    stop: "all",
    notice: "all",
    input: ["PreToolUse"],
    output: ["PostToolUse"],
  },
  permissions: ["allow", "ask", "deny"],
  write: (event, { context, permission, block, stop, notice, input, output }) => {
    // Whatever such a command prints, even JSON, is added to the instructions for the summary.
    if (event === "PreCompact" && context !== undefined) return context;
    return {
      ...ending(stop),
      ...memberOf("systemMessage", notice),
      ...refusal("block", block),
      ...specific(event, {
        ...memberOf("additionalContext", context),
        ...(permission === undefined ? {} : permissionFor(event, permission)),
        ...memberOf("updatedInput", input),
        ...memberOf("updatedToolOutput", output?.response),
      }),
    };
  },
};

/** A `PermissionRequest` has its own form of decision, without `ask`. */
function permissionFor(
  event: HookEventName,
  { decision, reason }: NonNullable<HookAnswer["permission"]>,
): Record<string, unknown> {
  if (event !== "PermissionRequest")
    return { permissionDecision: decision, permissionDecisionReason: reason };
  if (decision === "ask") return {};
  return { decision: { behavior: decision, ...(decision === "deny" ? { message: reason } : {}) } };
}
