import { readFileSync } from "node:fs";
import { findHits } from "../../../src/engine/guard/calls/find-hits.ts";
import { readExample } from "../../../src/engine/guard/calls/example.ts";
import { actionOf } from "../../../src/engine/guard/calls/rule-action.ts";
import { RuleSet } from "../../../src/engine/guard/calls/rule-set.ts";
import { catalogue } from "../../../src/engine/guard/catalogue/all.ts";
import { testContext } from "../../engine/guard/support/shell-context.ts";

/**
 * Prints the commands of a file, one a line, on which a rule fires, with the rules, and how many would be advised, asked about and denied.
 * `--none` prints those on which none fires.
 */
const [file = "", option] = process.argv.slice(2);
const rules = new RuleSet(catalogue);
const lines = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const counts = new Map<string, number>();
for (const line of lines) {
  const hits = findHits(readExample(line), rules, testContext);
  const actions = hits.map(({ rule }) => actionOf(rule));
  const action = actions.includes("ask") ? "ask" : actions.includes("advise") ? "advise" : "none";
  counts.set(action, (counts.get(action) ?? 0) + 1);
  const isPrinted = option === "--none" ? action === "none" : action !== "none";
  if (isPrinted) console.log(`${action}\t${hits.map(({ rule }) => rule.id).join(",")}\t${line}`);
}
console.log(
  `${lines.length} commands: ${[...counts].map(([action, count]) => `${count} ${action}`).join(", ")}`,
);
