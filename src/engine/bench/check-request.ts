import { sentence, type Sentence } from "../base/language.ts";
import { controlsFor, controlsOf } from "./plan.ts";
import { configurationHash } from "./configuration.ts";
import { guardRefusal } from "./drivers/driver.ts";
import { type BenchRequest, isBenchId } from "./bench-request/bench-request.ts";

/** Returns the problem with a request, in words, or null. */
export function checkRequest(request: BenchRequest): Sentence | null {
  const { id, suite, configurations, taskIds, runs, parallel, seed, tokenCap, shard } = request;
  if (!isBenchId(id)) return sentence("{0} is no id of a bench: letters, digits, ., _ and - are", id);
  const counts: (readonly [Sentence, number])[] = [
    [sentence("runs"), runs],
    [sentence("parallel"), parallel],
  ];
  if (tokenCap !== null) counts.push([sentence("the token cap"), tokenCap]);
  for (const [name, value] of counts)
    if (!Number.isSafeInteger(value) || value < 1)
      return sentence("{name} is a whole number from 1, not {value}", { name: name, value });
  if (!Number.isSafeInteger(seed)) return sentence("the seed is a whole number, not {0}", seed);
  if (shard !== null && !(shard.index >= 1 && shard.index <= shard.of))
    return sentence("shard {0} of {1} is none", shard.index, shard.of);
  if (configurations.length === 0) return sentence("nothing is to be measured");
  const unguarded = guardRefusal(request.driver, configurations);
  if (unguarded !== null) return unguarded;
  if (request.design === "pairs") {
    const isPaired = configurations.length % 2 === 0;
    const isOfOne = new Set(configurations.map(({ agent }) => agent)).size === 1;
    if (!isPaired || !isOfOne)
      return sentence("a design of pairs has an even number of configurations, all of one agent");
  }
  if (request.design === "arms") {
    const count = controlsFor(configurations.length);
    const controls = new Set(configurations.slice(0, count).map(configurationHash));
    if (controls.size !== 1 || count !== controlsOf(configurations.length - count))
      return sentence(
        "a design of arms begins with the unchanged configuration, as often as its number of arms needs",
      );
  }
  const known = new Set(suite.agents.map(({ name }) => name));
  const unknown = configurations.find(({ agent }) => !known.has(agent));
  if (unknown !== undefined) return sentence("the suite has no agent {0}", unknown.agent);
  const tasks = new Map(suite.tasks.map((task) => [task.id, task.agent]));
  const missing = taskIds.find((task) => !tasks.has(task));
  if (missing !== undefined) return sentence("the suite has no task {0}", missing);
  const without = configurations.find(({ agent }) => !taskIds.some((task) => tasks.get(task) === agent));
  return without === undefined ? null : sentence("none of the tasks is one of {0}", without.agent);
}
