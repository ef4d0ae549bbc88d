import { sentence, type Sentence } from "../../base/language.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { Configuration } from "../../bench/configuration.ts";
import type { Driver } from "../../bench/drivers.ts";
import type { GoldenAgent, Suite } from "../../bench/suite.ts";
import { activeRules, measuredAgent } from "../rules/active.ts";
import { flag, option, quoted, type ParsedOptions, wrongUsage } from "../args.ts";
import {
  budgetOption,
  driverOption,
  effortForm,
  memoryOption,
  modelOption,
  parallelOption,
  readBenchOptions,
  runsOption,
  yesOption,
  type BenchRequest,
} from "../bench/options.ts";
import { chooseDriver } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import { suiteOptions } from "../bench/golden/target.ts";

export const compareOptions = {
  runs: runsOption("maximum number of rounds, each running every task once per side (default: 12)"),
  budget: {
    ...budgetOption,
    does: "spend at most T tokens, such as 500k or 1.5M (default: what the plan says)",
  },
  driver: driverOption,
  model: modelOption(
    "for prompt and setting: model of both sides (default: the one in the agent's definition)",
  ),
  effort: option("E", effortForm, "for model and prompt: effort of both sides"),
  memory: memoryOption("MEMORY.md of both sides, or none (default: the agent's active rules)"),
  parallel: parallelOption,
  ...suiteOptions,
  yes: yesOption,
  json: flag(
    "print JSON (schema: media/schemas/compare.schema.json); plan and progress go to standard error",
  ),
};

export interface Setup {
  readonly suite: Suite;
  readonly agent: GoldenAgent;
  readonly driver: Driver;
  readonly benchRequest: BenchRequest;
  /** Null for the default. */
  readonly rounds: number | null;
  readonly base: Configuration;
  /** Describes the memory that both sides use. */
  readonly baseIs: Sentence;
}

/** A reason of `bad_argument` means wrong usage. */
export async function setUp(
  suite: Suite,
  name: string,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<Setup>> {
  const agent = suite.agents.find((each) => each.name === name);
  const names = suite.agents.map((each) => each.name).join(", ");
  if (agent === undefined)
    return wrongUsage(sentence("there is no agent {0}; there are {1}", quoted(name), names));
  if (!suite.tasks.some((task) => task.agent === name))
    return wrongUsage(sentence("the suite has no tasks of {0} to measure it with", name));
  const benchRequest = await readBenchOptions(options, host);
  if (!benchRequest.ok) return wrongUsage(benchRequest.detail);
  const driver = await chooseDriver(benchRequest.value.driver, suite, host);
  if (!driver.ok) return driver;
  const active = await activeRules([name], benchRequest.value, host);
  const base = measuredAgent(agent, benchRequest.value, { driver: driver.value.name, active });
  return succeed({
    suite,
    agent,
    driver: driver.value,
    benchRequest: benchRequest.value,
    rounds: options.has("runs") ? benchRequest.value.runs : null,
    base: { ...base, label: sentence("unchanged") },
    baseIs: base.label,
  });
}
