import { ending, memberOf, refusal, specific, type Dialect } from "./dialect.ts";

/**
 * Sources: the documentation of VS Code 1.139 and the code of its chat, which runs hooks for the editor's own
 * sessions.
 */
export const vscodeOutput: Dialect = {
  maxTextLength: 10_000,
  honoured: {
    context: ["SessionStart", "PreToolUse", "PostToolUse", "SubagentStart"],
    permission: ["PreToolUse"],
    block: ["UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"],
    stop: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"],
    notice: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "Stop"],
    input: [],
    output: [],
  },
  permissions: ["allow", "ask", "deny"],
  write: (event, { context, permission, block, stop, notice }) => {
    const isAtEnd = event === "Stop" || event === "SubagentStop";
    const isAtPrompt = event === "UserPromptSubmit";
    return {
      // A prompt is not blocked, but the turn that it starts is ended.
      ...ending(isAtPrompt ? (block ?? stop) : stop),
      ...memberOf("systemMessage", notice),
      ...(isAtEnd || isAtPrompt ? {} : refusal("block", block)),
      ...specific(event, {
        ...(isAtEnd ? refusal("block", block) : {}),
        ...memberOf("additionalContext", context),
        ...memberOf("permissionDecision", permission?.decision),
        ...memberOf("permissionDecisionReason", permission?.reason),
      }),
    };
  },
};
