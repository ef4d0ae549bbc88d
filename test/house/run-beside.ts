import type { Step } from "./check-steps.ts";

/**
 * Runs steps beside each other: each begins as soon as the steps it needs have ended and there is room, in their order. No more
 * begin than `room`, by what each takes of it; one that takes more than there is runs alone.
 */
export async function runBeside(
  steps: readonly Step[],
  room: number,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = [...steps];
  const unfinished = new Set(steps.map(({ name }) => name));
  const running = new Set<Promise<void>>();
  let free = room;

  const begin = (step: Step) => {
    const taken = Math.min(step.room ?? 1, room);
    free -= taken;
    const ended = run(step).finally(() => {
      free += taken;
      unfinished.delete(step.name);
      running.delete(ended);
    });
    running.add(ended);
  };
  const isReady = ({ needs = [] }: Step) => !needs.some((name) => unfinished.has(name));

  while (waiting.length > 0) {
    const next = waiting.findIndex(isReady);
    const step = waiting[next];
    if (step !== undefined && Math.min(step.room ?? 1, room) <= free) {
      waiting.splice(next, 1);
      begin(step);
    } else if (running.size > 0) await Promise.race(running);
    else throw new Error(`steps need each other: ${waiting.map(({ name }) => name).join(", ")}`);
  }
  await Promise.all(running);
}
