import { fail, succeed, type Result } from "../base/result.ts";
import { driverNames } from "../bench/bench-run.ts";
import type { Configuration } from "../bench/configuration.ts";
import type { Driver } from "../bench/drivers/driver.ts";
import { firstReadyDriver, makeDriver } from "../bench/make-driver.ts";
import type { GoldenAgent, Suite } from "../bench/suite.ts";
import { usualModel } from "../bench/usual-model.ts";
import { quoted, type OptionSpec, type ParsedOptions } from "./args.ts";
import { readBenchOptions, type AskedBench } from "./bench-options.ts";
import { driverPorts } from "./bench-world.ts";
import type { CliHost } from "./cli-host.ts";
import { suiteOptions } from "./golden-place.ts";

/** What every comparison may be told. */
export const compareSpecs: Readonly<Record<string, OptionSpec>> = {
  ...suiteOptions,
  runs: { value: "a whole number from 1" },
  model: { value: "a model's name" },
  driver: { value: driverNames.join(", ") },
  budget: { value: "tokens such as 500000, 500k or 1.5M" },
  parallel: { value: "a whole number from 1" },
  memory: { value: "a file" },
  ...{ json: {}, yes: {}, help: {} },
};

/** What is held constant, and with what it is measured. */
export interface Setup {
  readonly suite: Suite;
  readonly agent: GoldenAgent;
  readonly driver: Driver;
  readonly asked: AskedBench;
  /** Rounds at most; null for as many as usual. */
  readonly rounds: number | null;
  /** As it is. */
  readonly base: Configuration;
}

/** Finds the agent and who runs it. A reason of `bad-argument` says that it was asked wrongly. */
export async function setUp(
  suite: Suite,
  name: string,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<Setup>> {
  const agent = suite.agents.find((each) => each.name === name);
  const names = suite.agents.map((each) => each.name).join(", ");
  if (agent === undefined)
    return fail("bad-argument", `there is no agent ${quoted(name)}; there are ${names}`);
  if (!suite.tasks.some((task) => task.agent === name))
    return fail("bad-argument", `the suite has no tasks of ${name} to measure it with`);
  const asked = await readBenchOptions(options, host);
  if (!asked.ok) return fail("bad-argument", asked.detail);
  const driver = await readyDriver(asked.value, suite, host);
  if (!driver.ok) return driver;
  const { effort, memory, runs } = asked.value;
  return succeed({
    ...{ suite, agent, driver: driver.value, asked: asked.value, rounds: options.has("runs") ? runs : null },
    base: {
      ...{ label: "as it is", agent: name, model: asked.value.model ?? usualModel(driver.value.name, agent) },
      ...{ effort, definition: null, memory: memory?.text ?? null, overlay: [] },
    },
  });
}

async function readyDriver(
  { driver: wanted }: AskedBench,
  suite: Suite,
  host: CliHost,
): Promise<Result<Driver>> {
  const ports = driverPorts(host);
  if (wanted === null) return await firstReadyDriver(suite, ports);
  const made = await makeDriver(wanted, suite, ports);
  if (!made.ok) return made;
  const ready = await made.value.ready();
  return ready.ok ? made : ready;
}
