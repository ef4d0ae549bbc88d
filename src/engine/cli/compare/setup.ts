import { t } from "../../base/text/l10n.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { driverNames } from "../../bench/run-facts.ts";
import type { Configuration } from "../../bench/configuration.ts";
import type { Driver } from "../../bench/drivers/driver.ts";
import type { GoldenAgent, Suite } from "../../bench/suite/suite.ts";
import { activeRules, measuredAgent } from "../rules/active.ts";
import { oneOf, quoted, type OptionSpec, type ParsedOptions } from "../args.ts";
import { readBenchOptions, type AskedBench } from "../bench/options.ts";
import { chooseDriver } from "../bench/choose-driver.ts";
import type { CliHost } from "../cli-ports.ts";
import { suiteOptions } from "../bench/golden/target.ts";

/** Options of every comparison. */
export const compareSpecs: Readonly<Record<string, OptionSpec>> = {
  ...suiteOptions,
  runs: { value: "a number from 1" },
  model: { value: "a model's name" },
  driver: oneOf(driverNames),
  budget: { value: "tokens such as 500000, 500k or 1.5M" },
  parallel: { value: "a number from 1" },
  memory: { value: "a file, or none" },
  json: {},
  yes: {},
  help: {},
};

/** The constant parts of a comparison, and how it is measured. */
export interface Setup {
  readonly suite: Suite;
  readonly agent: GoldenAgent;
  readonly driver: Driver;
  readonly asked: AskedBench;
  /** Maximum rounds; null for the default. */
  readonly rounds: number | null;
  /** The unchanged configuration. */
  readonly base: Configuration;
  /** Description of both sides' memory. */
  readonly baseIs: string;
}

/** Finds the agent and its driver. A reason of `bad_argument` means wrong usage. */
export async function setUp(
  suite: Suite,
  name: string,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<Setup>> {
  const agent = suite.agents.find((each) => each.name === name);
  const names = suite.agents.map((each) => each.name).join(", ");
  if (agent === undefined)
    return fail("bad_argument", t("there is no agent {0}; there are {1}", quoted(name), names));
  if (!suite.tasks.some((task) => task.agent === name))
    return fail("bad_argument", t("the suite has no tasks of {0} to measure it with", name));
  const asked = await readBenchOptions(options, host);
  if (!asked.ok) return fail("bad_argument", asked.detail);
  const driver = await chooseDriver(asked.value.driver, suite, host);
  if (!driver.ok) return driver;
  const active = await activeRules([name], asked.value, host);
  const base = measuredAgent(agent, asked.value, { driver: driver.value.name, active });
  return succeed({
    suite,
    agent,
    driver: driver.value,
    asked: asked.value,
    rounds: options.has("runs") ? asked.value.runs : null,
    base: { ...base, label: "unchanged" },
    baseIs: base.label,
  });
}
