import * as z from "zod/mini";
import { sentence } from "../../base/language.ts";
import { ruleActions } from "../calls/rule-action.ts";
import { guardRule, pattern, ruleId } from "../calls/rule.ts";

/** The shapes of `guard.yaml`: the user's own rules, what rules that come with purser do instead, and exceptions. */

const exception = z.strictObject({
  rule: ruleId.check(z.describe(sentence("The rule that does not fire.").text)),
  like: z
    .optional(pattern)
    .check(z.describe(sentence("Only on commands or files in which this is found.").text)),
  folder: z
    .optional(z.string().check(z.minLength(1), z.maxLength(4096)))
    .check(z.describe(sentence("Only in this folder and below it; ~ is your home.").text)),
  until: z.optional(z.iso.date()).check(z.describe(sentence("Only before this day.").text)),
});

export const guardFile = z.strictObject({
  set: z
    ._default(z.record(ruleId, z.enum(["off", ...ruleActions])), {})
    .check(z.describe(sentence("What rules that come with purser do instead, by their ids.").text)),
  exceptions: z._default(z.array(exception).check(z.maxLength(500)), []),
  rules: z._default(z.array(guardRule).check(z.maxLength(500)), []),
});
