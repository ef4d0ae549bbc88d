import type { HookEventName } from "../event.ts";
import { ending, memberOf, refusal, specific, type Dialect } from "./dialect.ts";

/** Its own names of the events at which it reads `hookSpecificOutput`. */
const ownNames: Partial<Record<HookEventName, string>> = {
  UserPromptSubmit: "BeforeAgent",
  PostToolUse: "AfterTool",
};

/**
 * As Gemini CLI 0.61.0 takes answers. It ignores context before a tool. Nothing is asked: where nobody is there to be asked, it would wait
 * for ever.
 */
export const geminiOutput: Dialect = {
  longestText: 10_000,
  honoured: {
    context: ["SessionStart", "UserPromptSubmit", "PostToolUse"],
    permission: ["PreToolUse"],
    block: ["UserPromptSubmit", "PostToolUse", "Stop"],
    stop: ["PreToolUse", "PostToolUse"],
    notice: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
  },
  permissions: ["deny"],
  write: (event, { context, permission, block, stop, notice }) => ({
    ...ending(stop),
    ...memberOf("systemMessage", notice),
    ...refusal("deny", block ?? permission?.reason),
    ...specific(ownNames[event] ?? event, memberOf("additionalContext", context)),
  }),
};
