import { format } from "prettier";
import { claudeCases, claudeLimits } from "./claude.ts";
import { codexCases } from "./codex.ts";
import { copilotCases, copilotLimits } from "./copilot.ts";
import { geminiCases } from "./gemini.ts";
import type { CompareCase } from "./case.ts";
import { countWithCcusage } from "./peer.ts";
import { withCaseFiles } from "./home.ts";
import { countWithPurser } from "./purser.ts";
import { compactionCases, recordedCases } from "./recorded.ts";
import { unusualCases } from "./unusual.ts";
import { faultsIn, listOfAlike, tableOf, type CompareRow } from "./row.ts";
import { installCcusage } from "./install.ts";

/**
 * `npm run compare:ccusage`: compares purser's and ccusage's counts with what is known to have been sent, as Markdown.
 * Fails when purser's count differs, and when ccusage's differs without an explanation.
 */
const { file: ccusage, version } = installCcusage();

const rows = await countAll([
  ...recordedCases(),
  ...claudeCases,
  ...unusualCases,
  ...codexCases,
  ...copilotCases,
  ...geminiCases,
]);
const limits = await countAll([...claudeLimits, ...compactionCases(), ...copilotLimits]);

const text = `Tokens are input / output / written to the cache / read from it.

${tableOf(rows, version)}
Counted alike, and as sent:

${listOfAlike(rows)}
Where purser itself does not count what was sent:

${tableOf(limits, version)}`;
console.log(await format(text, { parser: "markdown" }));

const faults = faultsIn(rows, limits);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

async function countAll(cases: readonly CompareCase[]): Promise<CompareRow[]> {
  const counted: CompareRow[] = [];
  for (const each of cases) {
    const row = await withCaseFiles(each, async (place) => ({
      ...each,
      purser: await countWithPurser(place),
      daily: countWithCcusage(ccusage, each, { ...place, by: "daily" }),
      session: countWithCcusage(ccusage, each, { ...place, by: "session" }),
    }));
    counted.push(row);
  }
  return counted;
}
