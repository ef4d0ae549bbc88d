import { parseArgs } from "node:util";
import { format } from "prettier";
import { claudeCases, claudeLimits } from "./claude.ts";
import { codexCases } from "./codex.ts";
import { copilotCases, copilotLimits } from "./copilot.ts";
import { pricedCases, rewrittenCases, repositoryCases } from "./figures.ts";
import { geminiCases } from "./gemini.ts";
import type { CompareCase, Figures } from "./case.ts";
import { countWithCodeburn } from "./codeburn.ts";
import { countWithCcusage } from "./peer.ts";
import { withCaseFiles, type CaseHome } from "./home.ts";
import { countWithPurser } from "./purser.ts";
import { compactionCases, recordedCases } from "./recorded.ts";
import { unusualCases } from "./unusual.ts";
import { exactnessOf, faultsIn, listOfAlike, tableOf, type CompareRow } from "./row.ts";
import { installCcusage, installCodeburn } from "./install.ts";

/**
 * `npm run bench -- compare-ccusage`: compares what purser, ccusage and codeburn show with the truth, as Markdown. Fails when purser's
 * figures differ, and when another program's differ without an explanation.
 *
 *   npm run bench -- compare-ccusage --ccusage 20.0.24 --codeburn 0.9.15   other versions
 */
const { values } = parseArgs({ options: { ccusage: { type: "string" }, codeburn: { type: "string" } } });
const ccusage = installCcusage(values.ccusage);
const codeburn = installCodeburn(values.codeburn);
const versions = { ccusage: ccusage.version, codeburn: codeburn.version };

const rows = await countAll([
  ...recordedCases(),
  ...claudeCases,
  ...unusualCases,
  ...pricedCases,
  ...rewrittenCases,
  ...repositoryCases,
  ...codexCases,
  ...copilotCases,
  ...geminiCases,
]);
const limits = await countAll([...claudeLimits, ...compactionCases(), ...copilotLimits]);

const text = `Tokens are input / output / written to the cache / read from it.

${tableOf(rows, versions)}
All alike, and true:

${listOfAlike(rows)}
Where purser itself does not show what is true:

${tableOf(limits, versions)}
Cases that each program shows exactly, those above included:

${exactnessOf([...rows, ...limits], versions)}`;
console.log(await format(text, { parser: "markdown" }));

const faults = faultsIn(rows, limits);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

async function countAll(cases: readonly CompareCase[]): Promise<CompareRow[]> {
  const counted: CompareRow[] = [];
  for (const each of cases) {
    counted.push({
      ...each,
      purser: await withCaseFiles(each, countWithPurser),
      daily: await countTwice(each, (place) =>
        countWithCcusage(ccusage.file, each, { ...place, by: "daily" }),
      ),
      session: await countTwice(each, (place) =>
        countWithCcusage(ccusage.file, each, { ...place, by: "session" }),
      ),
      codeburn: await countTwice(each, (place) => countWithCodeburn(codeburn.file, each, place)),
    });
  }
  return counted;
}

/** Counts before and after the files changed, in the same home: a program may have kept what it read. */
function countTwice(each: CompareCase, count: (place: CaseHome) => Figures): Promise<Figures> {
  return withCaseFiles(each, (place) => {
    if (Object.keys(each.earlier).length > 0) count(place);
    place.goOn();
    return count(place);
  });
}
