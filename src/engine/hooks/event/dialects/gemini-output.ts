import type { HookEventName } from "../event.ts";
import { ending, memberOf, refusal, specific, type Dialect } from "./dialect.ts";

const ownNames: Partial<Record<HookEventName, string>> = {
  UserPromptSubmit: "BeforeAgent",
  PostToolUse: "AfterTool",
};

/**
 * Answers as Gemini CLI 0.61.0 accepts them. It ignores context before a tool. Never asks: an unattended
 * session would wait for ever.
 */
export const geminiOutput: Dialect = {
  maxTextLength: 10_000,
  honoured: {
    context: ["SessionStart", "UserPromptSubmit", "PostToolUse"],
    permission: ["PreToolUse"],
    block: ["UserPromptSubmit", "PostToolUse", "Stop"],
    stop: ["PreToolUse", "PostToolUse"],
    notice: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
    input: ["PreToolUse"],
    output: ["PostToolUse"],
  },
  permissions: ["deny"],
  write: (event, { context, permission, block, stop, notice, input, output }) => {
    // The model reads the reason for a denial after a tool in place of the output; context next to it is
    // dropped.
    const after = event === "PostToolUse" ? (block ?? output?.text) : undefined;
    const reason = after === undefined || context === undefined ? after : `${after}\n${context}`;
    return {
      ...ending(stop),
      ...memberOf("systemMessage", notice),
      ...refusal("deny", reason ?? block ?? permission?.reason),
      ...specific(ownNames[event] ?? event, {
        ...(reason === undefined ? memberOf("additionalContext", context) : {}),
        ...memberOf("tool_input", input),
      }),
    };
  },
};
