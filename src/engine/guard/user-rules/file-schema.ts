import * as z from "zod/mini";
import { sentence } from "../../base/language.ts";
import type { ParsedYaml } from "../../base/parse.ts";
import { issueSentence, issuesOf } from "../../base/schema-issues.ts";
import { guardRule, pattern, ruleId } from "../calls/rule.ts";
import { ruleActions } from "../calls/rule-action.ts";
import type { GuardFault } from "./config.ts";

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

/** The content of a `guard.yaml`. */
export const guardFile = z.strictObject({
  set: z
    ._default(z.record(ruleId, z.enum(["off", ...ruleActions])), {})
    .check(z.describe(sentence("What rules that come with purser do instead, by their ids.").text)),
  exceptions: z._default(z.array(exception).check(z.maxLength(500)), []),
  rules: z._default(z.array(guardRule).check(z.maxLength(500)), []),
});

/** Returns the faults that a schema finds in a YAML text, each with its line. */
export function schemaFaults(error: z.core.$ZodError, { document, lineOf }: ParsedYaml): GuardFault[] {
  return issuesOf(error).map((issue) => {
    const { path } = issue;
    const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    const written: unknown = document.getIn(path);
    const instead = issue.code === "invalid_value" ? issue.values.map(String) : [];
    return {
      line: lineOf(key === undefined ? path : [...path, key]),
      message: issueSentence(issue),
      wrong:
        key === undefined && typeof written !== "string"
          ? undefined
          : { word: key ?? String(written), instead },
    };
  });
}
