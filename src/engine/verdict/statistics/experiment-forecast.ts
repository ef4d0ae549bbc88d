import type { Boundaries } from "./boundaries.ts";

/** Current state of an experiment: the standardized sum after this many rounds. */
export interface State {
  readonly evidence: number;
  readonly rounds: number;
}

/** Maximum rounds of a forecast. */
const farAhead = 200;

/** Returns how many more rounds the evidence needs to pass its boundary at its present pace; null if it never would. */
export function roundsUntilShown({ evidence, rounds }: State, boundaries: Boundaries): number | null {
  if (rounds === 0 || evidence <= 0) return null;
  for (let more = 0; more <= farAhead; more += 1)
    if (evidence * Math.sqrt((rounds + more) / rounds) >= boundaries.at(rounds + more)) return more;
  return null;
}
