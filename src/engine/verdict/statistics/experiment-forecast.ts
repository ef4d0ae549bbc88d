import type { Boundaries } from "./boundaries.ts";
import { normalTail } from "./normal.ts";

/** Current state of an experiment: the standardized sum after this many rounds. */
export interface Standing {
  readonly evidence: number;
  readonly rounds: number;
}

/** Forecasts look no further ahead. Rounds. */
const farAhead = 200;

/** Returns how many more rounds the evidence needs to pass its boundary at its present pace; null where it never would. */
export function roundsUntilShown({ evidence, rounds }: Standing, boundaries: Boundaries): number | null {
  if (rounds === 0 || evidence <= 0) return null;
  for (let more = 0; more <= farAhead; more += 1)
    if (evidence * Math.sqrt((rounds + more) / rounds) >= boundaries.at(rounds + more)) return more;
  return null;
}

/**
 * Returns how likely the evidence passes its boundary by the last round, if the truth is one standard
 * deviation better than it looks. Giving up on a low value therefore drops few changes that would have
 * passed.
 */
export function chanceToShow({ evidence, rounds }: Standing, last: number, boundaries: Boundaries): number {
  if (rounds === 0) return 1;
  if (rounds >= last) return evidence >= boundaries.at(rounds) ? 1 : 0;
  const drift = (evidence + optimism) / Math.sqrt(rounds);
  const missing =
    boundaries.at(last) * Math.sqrt(last) - evidence * Math.sqrt(rounds) - drift * (last - rounds);
  return normalTail(missing / Math.sqrt(last - rounds));
}

/** Standard deviations of the evidence so far. */
const optimism = 1;
