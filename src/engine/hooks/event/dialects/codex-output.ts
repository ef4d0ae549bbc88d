import { ending, memberOf, refusal, specific, type Dialect } from "./dialect.ts";

/**
 * Answers as Codex 0.169.0 accepts them. It discards an answer with an unknown member, or one not supported
 * at the event, and then lets the call run. So a denial uses `decision` alone, there are no questions, and a
 * tool does not end a turn.
 */
export const codexOutput: Dialect = {
  maxTextLength: 9_500,
  honoured: {
    context: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"],
    permission: ["PreToolUse"],
    block: ["UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"],
    stop: ["SessionStart", "UserPromptSubmit"],
    notice: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
    // It takes another input only with an approval of the call.
    input: [],
    output: ["PostToolUse"],
  },
  permissions: ["deny"],
  write: (event, { context, permission, block, stop, notice, output }) => {
    // The reason for blocking after a tool is what the model reads in place of the output.
    const refused = block ?? output?.text ?? permission?.reason;
    const reason = refused === undefined || context === undefined ? refused : `${refused}\n${context}`;
    return {
      ...ending(stop),
      ...memberOf("systemMessage", notice),
      ...refusal("block", reason),
      ...(reason === undefined ? specific(event, memberOf("additionalContext", context)) : {}),
    };
  },
};
