import type { Question } from "./verdict.ts";

/** Accepted rate of false claims. */
const alpha = 0.05;
/** Maximum rounds, and rounds over which the error is spent: the same as in `npm run bench -- verdicts`. */
const rounds = {
  candidate: { most: 10, planned: 10 },
  // Planned for six audits, one after the other.
  "re-audit": { most: 6, planned: 36 },
  comparison: { most: 12, planned: 12 },
} as const;
/** Further rounds for each rule beyond the first in the same runs. */
const roundsPerRule = { candidate: { most: 6, planned: 4.5 }, "re-audit": { most: 0, planned: 0 } } as const;

/**
 * Returns the default question.
 * @param bar processing tokens that a completed run must save: twice a rule's rent, or 0 for a comparison
 * @param tokenCap processing tokens of the whole experiment
 */
export function usualQuestion(kind: Question["kind"], bar: number, tokenCap: number | null): Question {
  const { most, planned } = rounds[kind];
  return { kind, bar, tokenCap, alpha, maxRounds: most, plannedRounds: planned };
}

/**
 * Returns the default question about a rule that is measured together with others.
 * @param count candidates measured with the same runs
 * @param affordable rounds that the budget pays for: a smaller budget gets its own plan. Null for no limit
 */
export function jointQuestion(
  kind: "candidate" | "re-audit",
  bar: number,
  { count, affordable }: { readonly count: number; readonly affordable: number | null },
): Question & { readonly plannedRounds: number } {
  const usual = usualQuestion(kind, bar, null);
  const { most, planned } = roundsPerRule[kind];
  const rounds = Math.round((usual.plannedRounds ?? usual.maxRounds) + planned * (count - 1));
  const isLess = kind === "candidate" && affordable !== null && affordable < rounds;
  return {
    ...usual,
    maxRounds: usual.maxRounds + most * (count - 1),
    plannedRounds: isLess ? Math.max(1, Math.floor(affordable)) : rounds,
  };
}
