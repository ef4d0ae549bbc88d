import type { Step } from "./steps.ts";

export interface ParallelLimits {
  readonly maxSteps: number;
  /** Of steps that start editors, agents or browsers. */
  readonly maxReal: number;
}

/** Runs steps in parallel: each starts, in order, as soon as the steps it needs have ended and the limits allow it. */
export async function runParallel(
  steps: readonly Step[],
  { maxSteps, maxReal }: ParallelLimits,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = [...steps];
  const unfinished = new Set(steps.map(({ name }) => name));
  const running = new Set<Promise<void>>();
  let real = 0;

  const begin = (step: Step) => {
    real += step.isReal === true ? 1 : 0;
    const ended = run(step).finally(() => {
      real -= step.isReal === true ? 1 : 0;
      unfinished.delete(step.name);
      running.delete(ended);
    });
    running.add(ended);
  };
  const isReady = ({ needs = [], isReal = false }: Step) =>
    !(isReal && real >= maxReal) && !needs.some((name) => unfinished.has(name));

  while (waiting.length > 0) {
    const next = waiting.findIndex(isReady);
    const step = waiting[next];
    if (step !== undefined && running.size < maxSteps) {
      waiting.splice(next, 1);
      begin(step);
    } else if (running.size > 0) await Promise.race(running);
    else throw new Error(`steps need each other: ${waiting.map(({ name }) => name).join(", ")}`);
  }
  await Promise.all(running);
}
