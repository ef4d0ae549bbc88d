import path from "node:path";
import { sentence, type Sentence } from "../../base/language.ts";
import { fail, errorCode, succeed, type Result } from "../../base/result.ts";
import type { Done } from "../declaration.ts";
import { writeFile } from "node:fs/promises";
import { printedJson } from "../../base/text.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import {
  type BenchOutcome,
  benchFolderName,
  type BenchRequest,
  requestHash,
} from "../../bench/bench-request.ts";
import { requestAgain } from "../../bench/run-budget.ts";
import { runBench, planBench, readBench, type StoredRequest } from "../../bench/execute.ts";
import { quoted, withValue, type ParsedOptions, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import { benchToJunit, benchToJson, type BenchReport } from "./bench-outcome.ts";
import { mergeShards } from "./merge.ts";
import { benchOptions, chosenTasks, readBenchOptions } from "./options.ts";
import { printPlan, printResults, progressPrinter } from "./print-bench.ts";
import {
  benchPaths,
  openBenchContext,
  sayUnrecorded,
  type BenchContext,
  drawSeed,
  chooseDriver,
} from "./bench-context.ts";
import { commandLine } from "../../base/process.ts";
import type { CliHost } from "../cli-ports.ts";
import { agreedToRuns } from "../confirm.ts";
import type { Driver } from "../../bench/drivers.ts";
import { loadSuite, type SuitePaths } from "../../bench/suite.ts";
import { activeRules, measuredAgent } from "../rules/active.ts";
import { commitPortsOf, goldenSuite } from "./golden/target.ts";

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
      return wrongUsage(sentence("the agent is named twice: {0} and --agent", quoted(first)));
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
  const agreement = { command: "bench", runs: plan.runs - plan.made, isFree: !measuresModel(driver.name) };
  const refusal = await agreedToRuns(agreement, options, host);
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

interface PreparedBench {
  readonly request: BenchRequest;
  readonly driver: Driver;
}

type Prepared = Result<PreparedBench>;

/** A new bench, or the stopped one that `--resume` names. */
async function prepareBench(options: ParsedOptions, host: CliHost): Promise<Prepared> {
  const resumed = options.value("resume");
  return resumed === undefined ? await newBench(options, host) : await stoppedBench(resumed, options, host);
}

async function newBench(options: ParsedOptions, host: CliHost): Promise<Prepared> {
  const given = await readBenchOptions(options, host);
  if (!given.ok) return given;
  const suite = await goldenSuite(options, host);
  if (!suite.ok) return suite.reason === "bad_argument" ? wrongUsage(suite.detail) : suite;
  const chosen = chosenTasks(given.value, suite.value);
  if (!chosen.ok) return chosen;
  const driver = await chooseDriver(given.value.driver, suite.value, host);
  if (!driver.ok) return driver;
  const { agents, taskIds } = chosen.value;
  const { name } = driver.value;
  const names = agents.map((agent) => agent.name);
  const active = await activeRules(names, given.value, host);
  const configurations = agents.map((agent) => measuredAgent(agent, given.value, { driver: name, active }));
  const { runs, parallel, tokenCap, shard } = given.value;
  const seed = given.value.seed ?? drawSeed();
  const about = { suite: suite.value, configurations, taskIds, driver: name, seed };
  // A given seed determines the bench's id: repeated on any shard or machine, it is the same bench.
  const id = `s${seed}-${requestHash(about).slice(0, 10)}`;
  return succeed({ request: { ...about, id, runs, parallel, tokenCap, shard }, driver: driver.value });
}

async function stoppedBench(name: string, options: ParsedOptions, host: CliHost): Promise<Prepared> {
  const { benches } = benchPaths(host);
  const folder = path.join(benches, name);
  if (path.dirname(folder) !== benches)
    return wrongUsage(sentence("--resume takes the name of a benchmark, not {0}", name));
  const stored = await readBench(folder);
  if (!stored.ok) return stored;
  if (stored.value === null)
    return fail("not_found", sentence("there is no benchmark {0} in {1}", name, benches));
  const { request } = stored.value;
  const suite = await loadSuite(suitePathsOf(request.suite), commitPortsOf(host));
  if (!suite.ok) return suite;
  const again = requestAgain(request, suite.value);
  if (!again.ok) return again;
  // Runs, concurrency and budget may be changed on resume.
  const given = await readBenchOptions(options, host);
  if (!given.ok) return given;
  const { runs, parallel, tokenCap } = given.value;
  const driver = await chooseDriver(request.driver, suite.value, host);
  if (!driver.ok) return driver;
  const changed = {
    ...(options.has("runs") ? { runs } : {}),
    ...(options.has("parallel") ? { parallel } : {}),
    ...(options.has("budget") ? { tokenCap } : {}),
  };
  return succeed({ request: { ...again.value, ...changed }, driver: driver.value });
}

/** Where a stored bench's suite is. */
function suitePathsOf({ folder, origin, fixture, installScripts }: StoredRequest["suite"]): SuitePaths {
  const paths = { folder, origin, installScripts, fixture: fixture ?? path.join(folder, "fixture") };
  return origin === "workspace" ? { ...paths, workspace: path.resolve(folder, "../..") } : paths;
}
