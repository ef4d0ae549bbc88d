import type { RunSample } from "../verdict.ts";
import { gatherTasks, tasksBetween, type TaskEvidence } from "./pairs.ts";

/** Samples, and their evidence by task: gathered once for all questions about them. */
export interface Gathered {
  readonly samples: readonly RunSample[];
  readonly tasks: readonly TaskEvidence[];
  /** The numbers of their rounds, ascending. */
  readonly rounds: readonly number[];
}

export function gather(samples: readonly RunSample[]): Gathered {
  const rounds = [...new Set(samples.map(({ round }) => round))].sort((one, other) => one - other);
  return { samples, tasks: gatherTasks(samples), rounds };
}

/** Returns the evidence from this round on. */
export function gatheredSince({ samples, tasks, rounds }: Gathered, from: number): Gathered {
  return {
    samples: samples.filter(({ round }) => round >= from),
    tasks: tasksBetween(tasks, { from }),
    rounds: rounds.filter((round) => round >= from),
  };
}
