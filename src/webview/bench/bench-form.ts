import type { BenchAsk, BenchChoices, SuiteOffer } from "../../engine/jobs/bench-answers.ts";

/** Default runs of each task: three can distinguish a steady task from an unsteady one. */
const usualRuns = 3;

/**
 * Fills the form: with the last request as far as it is still possible, else with defaults. Null when there is nothing to
 * choose from.
 */
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
    taskIds: null,
    model: null,
    effort: null,
    driver,
    tokenCap: null,
    // A replay is the same each time.
    runs: driver === "replay" ? 1 : usualRuns,
    parallel: 1,
  };
}

/** Chooses other agents, with all their tasks. */
export function withAgents(ask: BenchAsk, agents: readonly string[]): BenchAsk {
  return { ...ask, agents: [...agents], taskIds: null };
}

/** Chooses tasks. @param taskIds null for all; ids of other agents' tasks are ignored */
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

/** Whether runs can be made with this driver here. */
export function isReadyIn(drivers: BenchChoices["drivers"], wanted: string): boolean {
  return drivers.some(({ name, isReady }) => name === wanted && isReady);
}
