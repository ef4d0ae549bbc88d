import { sentence } from "../../base/language.ts";
import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import { requestAgain, type BenchRequest, requestHash } from "../../bench/bench-request.ts";
import { readBench } from "../../bench/execute.ts";
import type { Driver } from "../../bench/drivers.ts";
import { loadSuite } from "../../bench/suite.ts";
import { activeRules, measuredAgent } from "../rules/active.ts";
import type { ParsedOptions } from "../args.ts";
import { chosenTasks, readBenchOptions } from "./options.ts";
import { benchPaths, drawSeed } from "./bench-context.ts";
import { chooseDriver } from "./choose-driver.ts";
import type { CliHost } from "../cli-ports.ts";
import { goldenSuite } from "./golden/target.ts";

export interface PreparedBench {
  readonly request: BenchRequest;
  readonly driver: Driver;
}

type Prepared = Result<PreparedBench>;

/** A new bench, or the stopped one that `--resume` names. */
export async function prepareBench(options: ParsedOptions, host: CliHost): Promise<Prepared> {
  const resumed = options.value("resume");
  return resumed === undefined ? await newBench(options, host) : await stoppedBench(resumed, options, host);
}

async function newBench(options: ParsedOptions, host: CliHost): Promise<Prepared> {
  const asked = await readBenchOptions(options, host);
  if (!asked.ok) return asked;
  const suite = await goldenSuite(options, host);
  if (!suite.ok) return suite.reason === "bad_argument" ? fail("bad_argument", suite.detail) : suite;
  const chosen = chosenTasks(asked.value, suite.value);
  if (!chosen.ok) return chosen;
  const driver = await chooseDriver(asked.value.driver, suite.value, host);
  if (!driver.ok) return driver;
  const { agents, taskIds } = chosen.value;
  const { name } = driver.value;
  const names = agents.map((agent) => agent.name);
  const active = await activeRules(names, asked.value, host);
  const configurations = agents.map((agent) => measuredAgent(agent, asked.value, { driver: name, active }));
  const { runs, parallel, tokenCap, shard } = asked.value;
  const seed = asked.value.seed ?? drawSeed();
  const about = { suite: suite.value, configurations, taskIds, driver: name, seed };
  // A given seed determines the bench's id: repeated on any shard or machine, it is the same bench.
  const id = `s${seed}-${requestHash(about).slice(0, 10)}`;
  return succeed({ request: { ...about, id, runs, parallel, tokenCap, shard }, driver: driver.value });
}

async function stoppedBench(name: string, options: ParsedOptions, host: CliHost): Promise<Prepared> {
  const { benches } = benchPaths(host);
  const folder = path.join(benches, name);
  if (path.dirname(folder) !== benches)
    return fail("bad_argument", sentence("--resume takes the name of a benchmark, not {0}", name));
  const stored = await readBench(folder);
  if (!stored.ok) return stored;
  if (stored.value === null)
    return fail("not_found", sentence("there is no benchmark {0} in {1}", name, benches));
  const { request } = stored.value;
  const suite = await loadSuite(request.suite);
  if (!suite.ok) return suite;
  const again = requestAgain(request, suite.value);
  if (!again.ok) return again;
  // Runs, concurrency and budget may be changed on resume.
  const asked = await readBenchOptions(options, host);
  if (!asked.ok) return asked;
  const { runs, parallel, tokenCap } = asked.value;
  const driver = await chooseDriver(request.driver, suite.value, host);
  if (!driver.ok) return driver;
  const changed = {
    ...(options.has("runs") ? { runs } : {}),
    ...(options.has("parallel") ? { parallel } : {}),
    ...(options.has("budget") ? { tokenCap } : {}),
  };
  return succeed({ request: { ...again.value, ...changed }, driver: driver.value });
}
