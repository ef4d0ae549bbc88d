import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { compose, joinSentences } from "../../base/language.ts";
import { parseYaml } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { GuardRule } from "../calls/rule.ts";
import { type GuardFault, faultText } from "../user-rules/config.ts";
import { guardFile, schemaFaults } from "../user-rules/file-schema.ts";

/** A file of the catalogue has the `rules` of a `guard.yaml`. */
const rulesFile = z.pick(guardFile, { rules: true });

/** Rules by their file's path below the catalogue, without extension and with slashes. */
export type WrittenRules = Readonly<Record<string, readonly GuardRule[]>>;

/** Reads the YAML files below a folder. A failure has all faults, with file and line. */
export function readRules(folder: string): Result<WrittenRules, "bad_rules"> {
  const read = globSync("**/*.yaml", { cwd: folder })
    .map((file) => file.replaceAll(path.sep, "/"))
    .toSorted()
    .map((file) => ({ file, ...readFile(path.join(folder, file)) }));
  const faults = read.flatMap(({ file, faults: own }) =>
    own.map((fault) => compose`${file}: ${faultText(fault)}`),
  );
  if (faults.length > 0) return fail("bad_rules", joinSentences(faults, "\n"));
  return succeed(Object.fromEntries(read.map(({ file, rules }) => [file.slice(0, -".yaml".length), rules])));
}

function readFile(file: string): { readonly rules: readonly GuardRule[]; readonly faults: GuardFault[] } {
  const parsed = parseYaml(readFileSync(file, "utf8"), { allowsAliases: true });
  if (!parsed.ok) return { rules: [], faults: [parsed.fault ?? { line: 1, message: parsed.detail }] };
  const checked = rulesFile.safeParse(parsed.value.value);
  return checked.success
    ? { rules: checked.data.rules, faults: [] }
    : { rules: [], faults: schemaFaults(checked.error, parsed.value) };
}
