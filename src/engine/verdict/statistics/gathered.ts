import type { RunSample } from "../verdict.ts";
import { gatherTasks, tasksBetween, type TaskEvidence } from "./pairs.ts";

/** Samples, and what they say of each task: gathered once for all that is asked about them. */
export interface Gathered {
  readonly samples: readonly RunSample[];
  readonly tasks: readonly TaskEvidence[];
  /** The numbers of their rounds, rising. */
  readonly rounds: readonly number[];
}

export function gather(samples: readonly RunSample[]): Gathered {
  const rounds = [...new Set(samples.map(({ round }) => round))].sort((one, other) => one - other);
  return { samples, tasks: gatherTasks(samples), rounds };
}

/** Returns what was gathered in rounds from this one on. */
export function gatheredSince({ samples, tasks, rounds }: Gathered, from: number): Gathered {
  return {
    samples: samples.filter(({ round }) => round >= from),
    tasks: tasksBetween(tasks, { from }),
    rounds: rounds.filter((round) => round >= from),
  };
}
