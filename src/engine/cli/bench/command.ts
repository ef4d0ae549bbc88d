import { t } from "../../base/text/l10n.ts";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { benchFolderName } from "../../bench/id.ts";
import type { BenchOutcome } from "../../bench/bench-request.ts";
import { readBench } from "../../bench/state/state.ts";
import { planBench, runBench } from "../../bench/execute/run-bench.ts";
import { parseOptions, quoted, type ParsedOptions } from "../args.ts";
import { prepareBench, type PreparedBench } from "./bench-actions.ts";
import { benchToJunit } from "./junit.ts";
import { mergeShards, mergeSpecs } from "./merge.ts";
import { benchSpecs } from "./options.ts";
import { benchToJson, type BenchReport } from "./bench-outcome.ts";
import { printPlan, printResults, progressPrinter } from "./print-bench.ts";
import { benchPaths, openBenchContext, sayUnrecorded, type BenchContext } from "./bench-context.ts";
import { commandLine } from "../../base/text/command-line.ts";
import type { CliHost, Command } from "../cli-ports.ts";
import { usageError } from "../subcommands.ts";
import { agreedToRuns } from "../confirm.ts";
import { printHelp } from "../help.ts";
import { said } from "../language/said.ts";

const help = `purser bench: how many tokens an agent needs for a fixed set of tasks

  purser bench [AGENT]           run the golden tasks of an agent (default: all agents); the plan and its price are shown first
  purser bench --resume NAME     continue a benchmark that was stopped
  purser bench merge DIR DIR …   join the shards of a benchmark from several machines

  --agent A      same as AGENT
  --task ID      only these tasks, comma-separated
  --runs N       runs of each task (default: 3)
  --model M      model to use (default: the one in the agent's definition)
  --effort E     how hard the model thinks
  --memory FILE  MEMORY.md to run with, or none (default: each agent's active rules)
  --driver D     claude, codex or replay (default: the first agent that is ready). replay is a free demo with recordings:
                 it says nothing about a model
  --budget T     spend at most T tokens, such as 500k or 1.5M
  --parallel N   runs at the same time (default: 1)
  --seed S       random seed for the order of runs; the same seed and options continue a stopped benchmark
  --shard I/N    run part I of N, for several machines; needs --seed
  --suite S      built-in or workspace (default: the workspace's .purser/golden if it has one)
  --cwd DIR      workspace folder, or a folder in it (default: the working folder)
  --plan         show the plan and exit
  --yes          start without asking; needed in scripts
  --json         print JSON (schema: media/schemas/bench.schema.json); progress goes to standard error
  --junit FILE   also write the runs as JUnit XML
  --help         print this help

Only runs of the unchanged agent, with its active rules and its own effort, count for the baselines of purser baseline. Tokens are new
tokens: input, output and cache writes. Ctrl-C stops; completed runs are kept. Agents are found as claude and codex in the PATH, or through
PURSER_CLAUDE and PURSER_CODEX. The project's budgets apply (see purser budget).

Exit codes: 0 done; 1 failed, declined, or stopped before the last run; 2 usage error; 130 interrupted.
`;

export const benchCommand: Command = {
  help,
  syntax: {
    options: benchSpecs,
    argument: "an agent's name",
    subcommands: { merge: { options: mergeSpecs } },
  },
  async run(argv, host) {
    if (argv[0] === "merge") return await mergeShards(argv.slice(1), host, help);
    const [first = ""] = argv;
    const isNamed = first !== "" && !first.startsWith("-");
    const options = parseOptions(isNamed ? ["--agent", ...argv] : argv, benchSpecs);
    if (!options.ok) return usageError("bench", options.detail, host);
    if (isNamed && options.value.values("agent").length > 1)
      return usageError("bench", t("the agent is named twice: {0} and --agent", quoted(first)), host);
    if (options.value.has("help")) {
      printHelp(help, host);
      return 0;
    }
    const prepared = await prepareBench(options.value, host);
    if (!prepared.ok)
      return prepared.reason === "bad_argument"
        ? usageError("bench", said(prepared.detail), host)
        : failed(prepared.detail, host);
    const context = await openBenchContext(prepared.value.driver, options.value, host);
    try {
      return await bench(prepared.value, context, options.value, host);
    } finally {
      context.dispose();
    }
  },
};

async function bench(
  { request, driver }: PreparedBench,
  { ports, baselines, left }: BenchContext,
  options: ParsedOptions,
  host: CliHost,
): Promise<number> {
  const made = await readBench(
    path.join(benchPaths(host).benches, benchFolderName(request.id, request.shard)),
  );
  if (!made.ok) return failed(made.detail, host);
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
  if (!outcome.ok) return failed(outcome.detail, host);
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

/** Prints a bench in the requested form; returns the exit code. */
async function printReport(report: BenchReport, options: ParsedOptions, host: CliHost): Promise<number> {
  if (options.has("json")) printJson(report, host);
  else printResults(report, host);
  const junit = options.value("junit");
  const problem =
    junit === undefined ? null : await written(path.resolve(host.cwd, junit), benchToJunit(report));
  if (problem !== null) return failed(problem, host);
  if (report.state === "cancelled") return 130;
  return report.state === "done" ? 0 : 1;
}

function printJson(report: BenchReport, host: CliHost): void {
  host.stdout.write(`${printedJson(benchToJson(report), 2)}\n`);
}

async function written(file: string, text: string): Promise<string | null> {
  try {
    await writeFile(file, text);
    return null;
  } catch (error) {
    return t("{0} cannot be written ({1})", file, errorCode(error));
  }
}

function failed(detail: string, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser bench: ${said(detail)}\n`);
  return 1;
}
