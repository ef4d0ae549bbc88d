import type { Boundaries } from "./boundaries.ts";
import { normalTail } from "./normal.ts";

/** How things stand: the standardized sum after so many rounds. */
export interface Standing {
  readonly evidence: number;
  readonly rounds: number;
}

/** Nobody plans further ahead. */
const farAhead = 200;

/** How many more rounds it would take until the evidence passes its boundary, if it goes on as it went; null where it never would. */
export function roundsUntilShown({ evidence, rounds }: Standing, boundaries: Boundaries): number | null {
  if (rounds === 0 || evidence <= 0) return null;
  for (let more = 0; more <= farAhead; more += 1)
    if (evidence * Math.sqrt((rounds + more) / rounds) >= boundaries.at(rounds + more)) return more;
  return null;
}

/**
 * How likely the evidence passes its boundary by the last round, if the truth is better than it looks by one standard deviation: who
 * gives up on this gives up on few that would have made it.
 */
export function chanceToShow({ evidence, rounds }: Standing, last: number, boundaries: Boundaries): number {
  if (rounds === 0) return 1;
  if (rounds >= last) return evidence >= boundaries.at(rounds) ? 1 : 0;
  const drift = (evidence + optimism) / Math.sqrt(rounds);
  const missing =
    boundaries.at(last) * Math.sqrt(last) - evidence * Math.sqrt(rounds) - drift * (last - rounds);
  return normalTail(missing / Math.sqrt(last - rounds));
}

/** Standard deviations of what is known so far. */
const optimism = 1;
