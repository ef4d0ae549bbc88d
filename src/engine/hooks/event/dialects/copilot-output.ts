import { memberOf, refusal, type Dialect } from "./dialect.ts";

/**
 * As Copilot CLI 1.0.102 takes answers: flat, since it reads `hookSpecificOutput` before tools only. It shows nothing of hooks to its
 * user, does not end a turn for them, and takes `ask` for a denial where nobody is there to be asked.
 */
export const copilotOutput: Dialect = {
  longestText: 10_000,
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
