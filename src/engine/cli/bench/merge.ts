import { sentence, t } from "../../base/language.ts";
import path from "node:path";
import { cleanText, printedJson } from "../../base/text.ts";
import { type MergedBench, mergeBenches, readBench } from "../../bench/execute.ts";
import { isEvidence, type BenchRun } from "../../bench/run-facts.ts";
import type { ParsedOptions } from "../args.ts";
import { benchToJson, type BenchReport } from "./bench-outcome.ts";
import { printResults } from "./print-bench.ts";
import { benchPaths } from "./bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import { asLine } from "../terminal-text.ts";
import { succeed, type Result } from "../../base/result.ts";
import { throughService } from "../service/service-access.ts";

/** Runs per message, so that no message is too large. */
const atOnce = 50;

/** Runs that the ledger already has are not duplicated. Resolves when they are durable. */
async function recordRuns(runs: readonly BenchRun[], host: CliHost): Promise<Result<undefined>> {
  return await throughService(host, async (service) => {
    for (let from = 0; from < runs.length; from += atOnce) {
      const answer = await service.ask("goldenRecord", { runs: runs.slice(from, from + atOnce) });
      if (!answer.ok) return answer;
    }
    return succeed(undefined);
  });
}

export async function mergeShards(
  folders: readonly string[],
  options: ParsedOptions,
  host: CliHost,
): Promise<number> {
  const { benches } = benchPaths(host);
  const paths = await Promise.all(folders.map((folder) => benchFolder(folder, benches, host)));
  const merged = await mergeBenches(paths, benches);
  if (!merged.ok) {
    host.stderr.write(`purser bench merge: ${asLine(merged.detail)}\n`);
    return 1;
  }
  const recorded = await recordRuns(merged.value.runs, host);
  if (!recorded.ok)
    host.stderr.write(
      `purser bench merge: ${t("these runs were not recorded in the ledger: {0}", asLine(recorded.detail))}\n`,
    );
  const report = reportOf(merged.value);
  if (options.has("json")) host.stdout.write(`${printedJson(benchToJson(report), 2)}\n`);
  else {
    host.stdout.write(`${cleanText(t("Joined in {0}", merged.value.folder))}\n`);
    printResults(report, host);
  }
  return report.state === "done" ? 0 : 1;
}

/** A folder, or the name of a bench in purser's home. */
async function benchFolder(name: string, benches: string, { cwd }: CliHost): Promise<string> {
  const source = path.resolve(cwd, name);
  const found = await readBench(source);
  return found.ok && found.value === null && !name.includes(path.sep) ? path.join(benches, name) : source;
}

function reportOf({ request, runs }: MergedBench): BenchReport {
  const { id, driver, seed, configurations, design } = request;
  const sidesOf = (agent: string) =>
    design === "pairs" ? 2 : configurations.filter((each) => each.agent === agent).length;
  const planned = request.runs * request.tasks.reduce((sum, { agent }) => sum + sidesOf(agent), 0);
  const isDone = runs.filter(isEvidence).length === planned;
  return {
    id,
    driver,
    seed,
    configurations,
    runs,
    plan: null,
    shard: null,
    baselines: [],
    state: isDone ? "done" : "paused",
    reason: isDone ? null : sentence("a shard was stopped before its last run"),
    recordedBy: [...new Set(runs.flatMap(({ recordedBy }) => recordedBy ?? []))].sort(),
  };
}
