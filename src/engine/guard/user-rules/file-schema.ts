import * as z from "zod";
import { english } from "../../base/text/english.ts";
import { ruleActions } from "../calls/rule-action.ts";
import { guardRule, pattern, ruleId } from "../calls/rule.ts";

/** The shapes of `guard.yaml`: the user's own rules, what rules that come with purser do instead, and exceptions. */

const exception = z.strictObject({
  rule: ruleId.describe(english("The rule that does not fire.")),
  like: pattern.optional().describe(english("Only on commands or files in which this is found.")),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(english("Only in this folder and below it; ~ is your home.")),
  until: z.iso.date().optional().describe(english("Only before this day.")),
});

export const guardFile = z.strictObject({
  set: z
    .record(ruleId, z.enum(["off", ...ruleActions]))
    .default({})
    .describe(english("What rules that come with purser do instead, by their ids.")),
  exceptions: z.array(exception).max(500).default([]),
  rules: z.array(guardRule).max(500).default([]),
});
