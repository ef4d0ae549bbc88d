import type { CodedRule } from "../guard-rules/coded-rule.ts";

const family = "learned";

/** Rules on what was learned from past sessions of the same project. `continuity/prompt` finds what they tell. */
export const learnedRules = {
  knownFix: {
    id: "known-fix",
    family,
    message: "A prompt has an error that was fixed in an earlier session of this project.",
    remedy: "Try first what fixed it then.",
    example: "a prompt with `Cannot find module 'zod'`, after which `npm ci` helped in three sessions",
  },
  deadEndAgain: {
    id: "dead-end-again",
    family,
    message:
      "A prompt names a command that failed in earlier sessions each time it was tried, or a file whose edit was taken back.",
    remedy: "Find out why it failed, and take another way, or tell the user.",
    example: "a prompt that asks for `make deploy`, which failed six times in three sessions",
  },
} as const satisfies Readonly<Record<string, CodedRule>>;

export const allLearnedRules: readonly CodedRule[] = Object.values(learnedRules);
