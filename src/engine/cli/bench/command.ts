import { sentence, type Sentence } from "../../base/language.ts";
import { fail, errorCode } from "../../base/result.ts";
import type { Done } from "../declaration.ts";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { printedJson } from "../../base/text.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { type BenchOutcome, benchFolderName } from "../../bench/bench-request.ts";
import { runBench, planBench, readBench } from "../../bench/execute.ts";
import { quoted, withValue, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import { prepareBench, type PreparedBench } from "./bench-actions.ts";
import { benchToJunit } from "./junit.ts";
import { mergeShards } from "./merge.ts";
import { benchOptions } from "./options.ts";
import { benchToJson, type BenchReport } from "./bench-outcome.ts";
import { printPlan, printResults, progressPrinter } from "./print-bench.ts";
import { benchPaths, openBenchContext, sayUnrecorded, type BenchContext } from "./bench-context.ts";
import { commandLine } from "../../base/process.ts";
import type { CliHost } from "../cli-ports.ts";
import { agreedToRuns } from "../confirm.ts";

export const benchCommand = command({
  name: "bench",
  title: "how many tokens an agent needs for a fixed set of tasks",
  words: "[AGENT]",
  does: "run the golden tasks of an agent (default: all agents); the plan and its price are shown first",
  more: [{ words: "--resume NAME", does: "continue a benchmark that was stopped" }],
  argument: { offers: "agents" },
  options: benchOptions,
  subcommands: {
    merge: {
      words: "DIR DIR …",
      does: "join the shards of a benchmark from several machines",
      argument: { isMany: true, isMissing: sentence("missing folders of the shards to join") },
      options: { json: benchOptions.json },
      run: ({ all, options }, host) => mergeShards(all, options, host),
    },
  },
  notes: `
Only runs of the unchanged agent, with its active rules and its own effort, count for the baselines of purser baseline. Tokens are new
tokens: input, output and cache writes. Ctrl-C stops; completed runs are kept. Agents are found as claude and codex in the PATH, or through
PURSER_CLAUDE and PURSER_CODEX. The project's budgets apply (see purser budget).

Exit codes: 0 done; 1 failed, declined, or stopped before the last run; 2 usage error; 130 interrupted.
`,
  async run({ first, options: given }, host) {
    if (first !== "" && given.has("agent"))
      return fail("bad_argument", sentence("the agent is named twice: {0} and --agent", quoted(first)));
    const options = first === "" ? given : withValue(given, "agent", first);
    const prepared = await prepareBench(options, host);
    if (!prepared.ok) return prepared;
    const context = await openBenchContext(prepared.value.driver, options, host);
    try {
      return await bench(prepared.value, context, options, host);
    } finally {
      context.dispose();
    }
  },
});

async function bench(
  { request, driver }: PreparedBench,
  { ports, baselines, left }: BenchContext,
  options: ParsedOptions,
  host: CliHost,
): Promise<Done> {
  const made = await readBench(
    path.join(benchPaths(host).benches, benchFolderName(request.id, request.shard)),
  );
  if (!made.ok) return made;
  const plan = await planBench(request, ports, made.value?.runs ?? []);
  const { id, seed, shard, configurations } = request;
  const about = {
    id,
    seed,
    shard,
    configurations,
    plan,
    driver: driver.name,
    recordedBy: driver.recordedBy(),
  };
  const isJson = options.has("json");
  printPlan(plan, about, isJson ? host.stderr : host.stdout);
  if (options.has("plan")) {
    const planned = {
      ...about,
      state: "planned" as const,
      reason: null,
      runs: made.value?.runs ?? [],
      baselines: [],
    };
    if (isJson) printJson(planned, host);
    return 0;
  }
  const asked = { command: "bench", runs: plan.runs - plan.made, isFree: !measuresModel(driver.name) };
  const refusal = await agreedToRuns(asked, options, host);
  if (refusal !== null) return refusal;
  const outcome = await runBench(request, ports, host.signal, progressPrinter(configurations, host));
  if (host.stderr.isTTY === true) host.stderr.write("\r\u001b[K");
  const how = commandLine(["purser", "bench", "--resume", benchFolderName(id, shard)], process.platform);
  sayUnrecorded(await left(), { command: "bench", how }, host.stderr);
  if (!outcome.ok) return outcome;
  const report = reportOf(outcome.value, about, await baselines());
  return await printReport(report, options, host);
}

type About = Omit<BenchReport, "state" | "reason" | "runs" | "baselines">;

function reportOf(
  { state, runs }: BenchOutcome,
  about: About,
  baselines: BenchReport["baselines"],
): BenchReport {
  return {
    ...about,
    runs,
    baselines,
    state: state.kind,
    reason: state.kind === "paused" ? state.detail : null,
  };
}

async function printReport(report: BenchReport, options: ParsedOptions, host: CliHost): Promise<Done> {
  if (options.has("json")) printJson(report, host);
  else printResults(report, host);
  const junit = options.value("junit");
  const problem =
    junit === undefined ? null : await written(path.resolve(host.cwd, junit), benchToJunit(report));
  if (problem !== null) return fail("unwritable", problem);
  if (report.state === "cancelled") return 130;
  return report.state === "done" ? 0 : 1;
}

function printJson(report: BenchReport, host: CliHost): void {
  host.stdout.write(`${printedJson(benchToJson(report), 2)}\n`);
}

async function written(file: string, text: string): Promise<Sentence | null> {
  try {
    await writeFile(file, text);
    return null;
  } catch (error) {
    return sentence("{0} cannot be written ({1})", file, errorCode(error));
  }
}
