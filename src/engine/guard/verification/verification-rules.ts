import type { CodedRule } from "../calls/rule.ts";

export const uncheckedEdits: CodedRule = {
  id: "unchecked-edits",
  family: "verification",
  message: "Several edits of code were made, and nothing has been checked since.",
  remedy: "Run the check of the project that tells most about them before editing on.",
  example:
    "four edits of source files without a test, a type check, a linter, a build or the program in between",
};

export const verificationRules: readonly CodedRule[] = [uncheckedEdits];
