import type { Question } from "./verdict.ts";

/** How often something may be said that is not so. */
const alpha = 0.05;
/** Rounds at most: what `npm run bench:verdicts` is run with. */
const rounds = { candidate: 10, "re-audit": 4, comparison: 12 } as const;

/**
 * What is asked unless the user asks otherwise.
 * @param bar processing tokens that a completed run must save: twice a rule's rent, or 0 for a comparison
 * @param tokenCap processing tokens of the whole experiment
 */
export function usualQuestion(kind: Question["kind"], bar: number, tokenCap: number | null): Question {
  return { kind, bar, tokenCap, alpha, maxRounds: rounds[kind] };
}
