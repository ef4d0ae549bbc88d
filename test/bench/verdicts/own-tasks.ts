import { seededRandom } from "../../engine/support/seeded-random.ts";
import { eight, figuresOfMix } from "./known-rules.ts";
import type { LifeFigures } from "./scenario.ts";
import { selectInWorld } from "./select-life.ts";
import { makeSuiteWorld } from "./suite-worlds.ts";

/** Standard deviation, over a user's tasks, of the logarithm of what a rule does. */
const spread = 0.1;

/**
 * Eight rules measured with a few of a user's tasks. What a rule does differs from task to task, so that it does
 * something in these tasks even if it does nothing in all of the user's work.
 */
export async function ownTasks(count: number, seed: number): Promise<LifeFigures> {
  const world = makeSuiteWorld({ name: "issue", saves: eight, tasks: count }, seed);
  const nature = seededRandom(seed * 1_000_003 + 404);
  const effects = eight.map((saves) =>
    Array.from({ length: count }, () => Math.log(1 - saves) + spread * nature.normal()),
  );
  const own: typeof world = {
    ...world,
    run: (asked) =>
      world.run({ ...asked, saves: effects.map((each) => 1 - Math.exp(each[asked.task] ?? 0)) }),
  };
  return figuresOfMix(eight, await selectInWorld(own, seed, { tokenCap: eight.length * 3_000_000 }));
}
