import { factRules } from "../facts/facts-rules.ts";
import type { CodedRule } from "../calls/rule.ts";
import { allLoopRules } from "../loops/loops-rules.ts";
import { outputRules } from "../output/output-rules.ts";
import { verificationRules } from "../verification/verification-rules.ts";
import { limitRule, wasteRules } from "../waste/waste-rules.ts";

const family = "learned";

/** Rules about lessons from past sessions of the same project, which `continuity/prompt` finds. */
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
      "A prompt names a command that failed in earlier sessions each time it was tried, or a file with an edit that was undone.",
    remedy: "Find out why it failed, and take another way, or tell the user.",
    example: "a prompt that asks for `make deploy`, which failed six times in three sessions",
  },
} as const satisfies Readonly<Record<string, CodedRule>>;

/** All rules in code. */
export const codedRules: readonly CodedRule[] = [
  ...factRules,
  ...wasteRules,
  limitRule,
  ...allLoopRules,
  ...verificationRules,
  ...outputRules,
  ...Object.values(learnedRules),
];
