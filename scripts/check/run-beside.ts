import type { Step } from "./steps.ts";

/** Runs up to `most` steps in parallel: each starts, in order, as soon as the steps it needs have ended. */
export async function runParallel(
  steps: readonly Step[],
  most: number,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = [...steps];
  const unfinished = new Set(steps.map(({ name }) => name));
  const running = new Set<Promise<void>>();

  const begin = (step: Step) => {
    const ended = run(step).finally(() => {
      unfinished.delete(step.name);
      running.delete(ended);
    });
    running.add(ended);
  };
  const isReady = ({ needs = [] }: Step) => !needs.some((name) => unfinished.has(name));

  while (waiting.length > 0) {
    const next = waiting.findIndex(isReady);
    const step = waiting[next];
    if (step !== undefined && running.size < most) {
      waiting.splice(next, 1);
      begin(step);
    } else if (running.size > 0) await Promise.race(running);
    else throw new Error(`steps need each other: ${waiting.map(({ name }) => name).join(", ")}`);
  }
  await Promise.all(running);
}
