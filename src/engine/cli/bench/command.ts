import { writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { cleanText } from "../../base/text/text.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { benchFolderName } from "../../bench/id.ts";
import type { BenchOutcome } from "../../bench/request.ts";
import { readBench } from "../../bench/state/state.ts";
import { planBench, runBench } from "../../bench/execute/run-bench.ts";
import { parseOptions, quoted, type ParsedOptions } from "../args.ts";
import { prepareBench, type PreparedBench } from "./actions.ts";
import { benchToJunit } from "./junit.ts";
import { mergeShards, mergeSpecs } from "./merge.ts";
import { benchSpecs } from "./options.ts";
import { benchToJson, type BenchReport } from "./outcome.ts";
import { printPlan, printResults, progressPrinter } from "./print.ts";
import { benchPaths, openBenchContext, type BenchContext } from "./context.ts";
import type { CliHost, Command } from "../ports.ts";
import { usageError } from "../subcommands.ts";
import { agreedToRuns } from "../confirm.ts";

const help = `purser bench: what an agent spends to finish frozen tasks

  purser bench [AGENT]             run an agent's golden tasks, or those of all agents; the plan and its price are shown first
  purser bench --resume NAME       go on with one that stopped
  purser bench merge DIR DIR …     join the shards of one bench, from whichever machines

  --agent A      the same as AGENT
  --task ID      these tasks only, by commas
  --runs N       how often each task is run; 3 when nothing is told
  --model M      instead of the model that the agent's definition names
  --effort E     how hard the model thinks
  --memory FILE  run with this MEMORY.md, or none with none; with each agent's active rules when nothing is told
  --driver D     claude, codex or replay; the first agent that is ready when nothing is told. replay is a free demo with
                 recordings: it says nothing about a model
  --budget T     spend at most T tokens, such as 500k or 1.5M
  --parallel N   runs at a time; 1 when nothing is told
  --seed S       draw the order by this number; a bench of the same seed and request goes on where it stopped
  --shard I/N    make the I-th of N parts, for a matrix of machines; needs --seed
  --suite S      built-in or workspace; the workspace's own (.purser/golden) where it has one, when nothing is told
  --cwd DIR      the workspace's folder, or one in it
  --plan         show the plan and end
  --yes          start without asking, which a script has to; in a terminal, the runs start when you agree to the plan
  --json         print JSON; its shape is in media/schemas/bench.schema.json. Progress goes to standard error
  --junit FILE   write the runs as JUnit's XML
  --help         print this

An agent with its active rules, and no other effort than its own, is the agent as it is: only its runs make the baselines that
purser baseline shows. Tokens are input, output and what was written to the cache. Ctrl-C ends it; what was made is kept.
Agents are found as claude and codex, or by PURSER_CLAUDE and PURSER_CODEX. The project's budgets hold, see purser budget.
Exit code 1: it could not be done, or stopped before its last run; 2: asked wrongly; 130: interrupted.
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
      return usageError("bench", `the agent is named twice: ${quoted(first)} and --agent`, host);
    if (options.value.has("help")) {
      host.stdout.write(help);
      return 0;
    }
    const prepared = await prepareBench(options.value, host);
    if (!prepared.ok)
      return prepared.reason === "bad_argument"
        ? usageError("bench", cleanText(prepared.detail), host)
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
  { ports, baselines }: BenchContext,
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
  host.stdout.write(`${JSON.stringify(benchToJson(report), null, 2)}\n`);
}

async function written(file: string, text: string): Promise<string | null> {
  try {
    await writeFile(file, text);
    return null;
  } catch (error) {
    return `${file} cannot be written (${errorCode(error)})`;
  }
}

function failed(detail: string, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser bench: ${cleanText(detail)}\n`);
  return 1;
}
