import { memberOf, refusal, type Dialect } from "./dialect.ts";

/**
 * Answers as Copilot CLI 1.0.102 accepts them: flat, since it reads `hookSpecificOutput` only before tools.
 * It shows its user nothing from hooks, and does not end a turn for them. It treats `ask` as a denial when
 * unattended.
 */
export const copilotOutput: Dialect = {
  maxTextLength: 10_000,
  honoured: {
    context: [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "SubagentStart",
    ],
    permission: ["PreToolUse"],
    block: ["UserPromptSubmit", "PostToolUse", "Stop"],
    stop: [],
    notice: [],
    input: ["PreToolUse"],
    output: ["PostToolUse"],
  },
  permissions: ["deny"],
  write: (_event, { context, permission, block, input, output }) => ({
    ...memberOf("additionalContext", context),
    ...(permission === undefined
      ? {}
      : { permissionDecision: permission.decision, permissionDecisionReason: permission.reason }),
    ...refusal("block", block),
    ...memberOf("modifiedArgs", input),
    ...(output === undefined
      ? {}
      : { modifiedResult: { resultType: "success", textResultForLlm: output.text } }),
  }),
};
