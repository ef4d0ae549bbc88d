import type { JobOrder, BenchAsk, JobOutline } from "../../bench-answers.ts";
import { compareRunner } from "./compare.ts";
import type { JobRunner, JobWork } from "./runner.ts";
import { selectRunner } from "./select-runners.ts";
import { succeed } from "../../../base/result.ts";
import type { BenchRequest } from "../../../bench/bench-request.ts";
import {
  defaultModel,
  configurationHash,
  type Configuration,
  currentConfiguration,
} from "../../../bench/configuration.ts";
import { planBench, runBench } from "../../../bench/execute.ts";
import { suiteHash, type Suite } from "../../../bench/suite.ts";

function benchRunner(work: JobWork<BenchAsk>): JobRunner {
  return {
    outline: () => succeed(outlineOf(work)),
    plan: async ({ ports }) => succeed(await planBench(requestOf(work), ports)),
    async run({ ports }, emit, signal) {
      const ended = await runBench(requestOf(work), ports, signal, emit);
      return ended.ok ? succeed(ended.value.state) : ended;
    },
  };
}

/** Fixed, so that benches of the same configurations run in the same order. */
const seed = 1;

/** One side per agent: as it is, with its active rules. */
function configurationsOf({ ask, suite, memories }: JobWork<BenchAsk>): Configuration[] {
  return ask.agents.map((agent) => {
    const own = suite.agents.find(({ name }) => name === agent) ?? { model: null };
    const model = ask.model ?? defaultModel(ask.driver, own);
    return currentConfiguration({ agent, model, effort: ask.effort, memory: memories[agent] ?? null });
  });
}

function tasksOf({ ask, suite }: JobWork<BenchAsk>): Suite["tasks"] {
  return suite.tasks.filter(
    ({ id, agent }) => ask.agents.includes(agent) && (ask.taskIds?.includes(id) ?? true),
  );
}

function requestOf(work: JobWork<BenchAsk>): BenchRequest {
  const { id, ask, suite } = work;
  const { runs, driver, parallel, tokenCap } = ask;
  return {
    id,
    suite,
    configurations: configurationsOf(work),
    taskIds: tasksOf(work).map((task) => task.id),
    runs,
    driver,
    seed,
    parallel,
    tokenCap,
    shard: null,
  };
}

function outlineOf(work: JobWork<BenchAsk>): JobOutline {
  const configurations = configurationsOf(work);
  const tasks = tasksOf(work).map(({ id, agent, title, weight, hash }) => ({
    id,
    agent,
    title,
    weight,
    hash,
  }));
  return {
    rounds: work.ask.runs,
    sides: configurations.map((each) => {
      const { label, agent, model, role } = each;
      const hash = configurationHash(each);
      return { label, agent, model, role, hash, suiteHash: suiteHash(work.suite, agent) };
    }),
    tasks,
    of: tasks.length * work.ask.runs,
  };
}

/** A new kind is also added to `jobAsk`. */
export function runnerOf({ ask, ...about }: JobWork<JobOrder>): JobRunner {
  switch (ask.kind) {
    case "bench":
      return benchRunner({ ...about, ask });
    case "select":
      return selectRunner({ ...about, ask });
    case "compare":
      return compareRunner({ ...about, ask });
  }
}
