import type { BenchAsk, BenchChoices, SuiteOffer } from "../../engine/service/bench-view.ts";

/** Runs of each task that are proposed: three tell a steady task from one that is not. */
const usualRuns = 3;

/** What is asked for at first, or what was asked for before as far as it is still there. Null where there is nothing to choose. */
export function askFor(choices: BenchChoices, before: BenchAsk | null): BenchAsk | null {
  const usable = choices.suites.filter(({ agents, problem }) => problem === null && agents.length > 0);
  const offer = usable.find(({ suite }) => before !== null && isSameSuite(suite, before.suite)) ?? usable[0];
  if (offer === undefined) return null;
  if (before === null) return firstAsk(offer, choices);
  const agents = before.agents.filter((agent) => offer.agents.some(({ name }) => name === agent));
  if (agents.length === 0) return firstAsk(offer, choices);
  return withTasks({ ...before, suite: offer.suite, agents }, offer, before.taskIds);
}

function firstAsk({ suite, agents }: SuiteOffer, { driver }: BenchChoices): BenchAsk {
  return {
    kind: "bench",
    suite,
    agents: agents.slice(0, 1).map(({ name }) => name),
    ...{ taskIds: null, model: null, effort: null, driver, tokenCap: null },
    // What is replayed is the same each time.
    runs: driver === "replay" ? 1 : usualRuns,
    parallel: 1,
  };
}

/** Of other agents. Their tasks are all chosen. */
export function withAgents(ask: BenchAsk, agents: readonly string[]): BenchAsk {
  return { ...ask, agents: [...agents], taskIds: null };
}

/** @param taskIds those that are left out of consideration when they are no tasks of the agents; null for all */
export function withTasks(ask: BenchAsk, offer: SuiteOffer, taskIds: readonly string[] | null): BenchAsk {
  const all = tasksOf(ask, offer).map(({ id }) => id);
  const chosen = taskIds === null ? all : all.filter((id) => taskIds.includes(id));
  return { ...ask, taskIds: chosen.length === all.length || chosen.length === 0 ? null : chosen };
}

export function tasksOf(ask: BenchAsk, offer: SuiteOffer): SuiteOffer["tasks"] {
  return offer.tasks.filter(({ agent }) => ask.agents.includes(agent));
}

function isSameSuite(one: BenchAsk["suite"], other: BenchAsk["suite"]): boolean {
  if (one.origin === "workspace" && other.origin === "workspace") return one.folder === other.folder;
  return one.origin === other.origin;
}
