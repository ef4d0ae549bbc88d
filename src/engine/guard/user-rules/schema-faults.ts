import type * as z from "zod/mini";
import type { ParsedYaml } from "../../base/parse.ts";
import { issueSentence, issuesOf } from "../../base/schema-issues.ts";
import type { GuardFault } from "./config.ts";

/** Returns what a schema finds wrong in a YAML text, each with its line. */
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
