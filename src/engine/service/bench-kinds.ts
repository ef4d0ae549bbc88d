import type {
  BenchFault,
  BenchOutcome,
  BenchPorts,
  BenchRequest,
  OnProgress,
} from "../bench/bench-request.ts";
import type { Result } from "../base/result.ts";
import { succeed } from "../base/result.ts";
import { configurationHash, type Configuration } from "../bench/configuration.ts";
import type { BenchPlan } from "../bench/plan.ts";
import { planBench, runBench } from "../bench/run-bench.ts";
import { suiteHash, type Suite } from "../bench/suite.ts";
import { usualModel } from "../bench/usual-model.ts";
import type { BenchAsk, JobAsk, JobOutline } from "./bench-view.ts";
import type { ActiveMemories } from "./bench-workshop.ts";

/** What a job's runner is handed. */
export interface JobWork<Ask extends JobAsk> {
  readonly id: string;
  readonly ask: Ask;
  readonly suite: Suite;
  readonly memories: ActiveMemories;
}

/** How jobs of one kind are planned and run. */
export interface JobRunner<Ask extends JobAsk> {
  outline(work: JobWork<Ask>): JobOutline;
  plan(work: JobWork<Ask>, ports: Pick<BenchPorts, "driver" | "book" | "price">): Promise<Result<BenchPlan>>;
  run(
    work: JobWork<Ask>,
    ports: BenchPorts,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<Result<BenchOutcome, BenchFault>>;
}

/** Kinds of jobs by their name: to add one, add what it is asked to `jobAsk`, and its runner here. */
export const jobRunners: { readonly bench: JobRunner<BenchAsk> } = {
  bench: {
    outline: outlineOf,
    plan: async (work, ports) => succeed(await planBench(requestOf(work), ports)),
    run: (work, ports, signal, onProgress) => runBench(requestOf(work), ports, signal, onProgress),
  },
};

/** Benches of the same configurations go through their runs in the same order. */
const seed = 1;
const withoutRules = "no rules";

/** One side an agent: as it is, with the rules that are active. */
function configurationsOf({ ask, suite, memories }: JobWork<BenchAsk>): Configuration[] {
  return ask.agents.map((agent) => {
    const own = suite.agents.find(({ name }) => name === agent) ?? { model: null };
    const memory = memories[agent];
    const model = ask.model ?? usualModel(ask.driver, own);
    return {
      ...{ label: memory?.label ?? withoutRules, agent, model },
      ...{ effort: ask.effort, definition: null, memory: memory?.text ?? null, overlay: [] },
    };
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
    ...{ id, suite, configurations: configurationsOf(work), taskIds: tasksOf(work).map((task) => task.id) },
    ...{ runs, driver, seed, parallel, tokenCap, shard: null },
  };
}

function outlineOf(work: JobWork<BenchAsk>): JobOutline {
  const configurations = configurationsOf(work);
  const tasks = tasksOf(work).map(({ id, agent, title, weight, hash }) => ({
    ...{ id, agent, title, weight, hash },
  }));
  return {
    rounds: work.ask.runs,
    sides: configurations.map((each) => {
      const { label, agent, model } = each;
      const hash = configurationHash(each);
      return { label, agent, model, hash, suiteHash: suiteHash(work.suite, agent) };
    }),
    tasks,
    of: tasks.length * work.ask.runs,
  };
}
