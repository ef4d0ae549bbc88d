import type { Question } from "./verdict.ts";

/** Accepted rate of false claims. */
const alpha = 0.05;
/** Maximum rounds, the same as in `npm run bench:verdicts`. */
const rounds = { candidate: 10, "re-audit": 4, comparison: 12 } as const;

/**
 * Returns the default question.
 * @param bar processing tokens that a completed run must save: twice a rule's rent, or 0 for a comparison
 * @param tokenCap processing tokens of the whole experiment
 */
export function usualQuestion(kind: Question["kind"], bar: number, tokenCap: number | null): Question {
  return { kind, bar, tokenCap, alpha, maxRounds: rounds[kind] };
}
