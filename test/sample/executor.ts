import { plainSentence } from "../../src/engine/base/language.ts";
import { thisMachine } from "../../src/engine/base/process/machine.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { BenchPorts } from "../../src/engine/bench/bench-request.ts";
import type { Driver } from "../../src/engine/bench/drivers/driver.ts";
import { estimatePrice } from "../../src/engine/bench/run-budget.ts";
import type { Suite } from "../../src/engine/bench/suite/suite.ts";
import type { JobExecutor } from "../../src/engine/jobs/executor.ts";
import { builtInCatalogue } from "../../src/engine/usage/catalogue/catalogue.ts";
import { serviceRunRecorder } from "../../src/engine/jobs/process/run-recorder.ts";
import { runnerOf } from "../../src/engine/jobs/process/runners/kinds.ts";
import type { JobClients } from "../../src/engine/jobs/process/runners/runner.ts";
import type { StoryClock } from "./clock.ts";

export interface ExecutorInput extends JobClients {
  readonly suite: Suite;
  readonly driver: Driver;
  readonly clock: StoryClock;
  /** Folder of the benches, and of the runs' copies. */
  readonly benches: string;
  readonly scratch: string;
}

/** Runs jobs as the service's worker does, in this process and with a driver of the story's own. */
export function storyExecutor(input: ExecutorInput): JobExecutor {
  const { suite, driver, clock, service, root } = input;
  let words = 0;
  const ports: BenchPorts = {
    clock,
    pid: process.pid,
    machine: thisMachine(),
    unique: () => `word-${(words += 1)}`,
    folder: input.benches,
    scratch: input.scratch,
    driver,
    recorder: serviceRunRecorder(service, {
      clock,
      onProblem: (message) => {
        throw new Error(message.text);
      },
    }),
    env: process.env,
    price: (model, tokens) => estimatePrice(model, tokens, builtInCatalogue),
    modules: () => Promise.resolve(succeed(null)),
    pendingInstall: () => Promise.resolve(null),
    mayRun: () => Promise.resolve({ allowed: true }),
  };
  return {
    choices: () => Promise.resolve(fail("failed", plainSentence("the story asks for no choices"))),
    plan: () =>
      Promise.resolve(fail("failed", plainSentence("the story plans nothing apart from running it"))),
    planWake: () => Promise.resolve(fail("failed", plainSentence("the story's wakes are told, not run"))),
    async run({ id, ask, memories, ...before }, onEvent, signal) {
      if (ask.kind === "wake") return fail("failed", plainSentence("the story's wakes are told, not run"));
      const runner = runnerOf({ id, ask, suite, memories, before });
      const outline = runner.outline();
      if (!outline.ok) return fail("failed", outline.detail);
      onEvent({ kind: "outline", outline: outline.value });
      const ended = await runner.run({ service, root, ports }, onEvent, signal);
      return ended.ok ? ended : fail("failed", ended.detail);
    },
    close: () => Promise.resolve(),
  };
}
