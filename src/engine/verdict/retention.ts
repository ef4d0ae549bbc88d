import type { Verdict } from "./verdict.ts";

/** Effect of a verdict on its rule. */
export interface Consequence {
  readonly action: "activate" | "keep" | "shelve" | "evict";
  /** Consecutive re-audits against the rule: more than one only for a protected rule, which stays. */
  readonly strikes: number;
}

/**
 * Activates a candidate that is shown to save, evicts one with a shown fault, and shelves any other with its evidence.
 */
export function admit(verdict: Verdict): Consequence {
  if (verdict.kind === "saves") return { action: "activate", strikes: 0 };
  return { action: isAgainst(verdict) || isWorse(verdict) ? "evict" : "shelve", strikes: 0 };
}

/**
 * Evicts an active rule that is shown to break a task, to cost tokens, to save less than its bar, or to make runs fail.
 * A shown fault holds at its error rate over all audits of a rule together, so one is enough. Noise evicts nothing: an
 * inconclusive re-audit changes nothing. Keeping a useless rule costs its rent, some dozens of tokens per session,
 * while losing one that saves a twentieth of a run costs thousands.
 */
export function retain(verdict: Verdict, strikes: number): Consequence {
  if (!isAgainst(verdict) && !isWorse(verdict)) return { action: "keep", strikes: 0 };
  return { action: "evict", strikes: strikes + 1 };
}

/** Results of measuring a whole set of rules before its admission. */
export const setDecisions = ["confirmed", "refused", "undecided"] as const;
export type SetDecision = (typeof setDecisions)[number];

/** Confirms a set that is shown to save, and refuses one with a shown fault, like a candidate. */
export function confirm(verdict: Verdict): SetDecision {
  if (verdict.kind === "saves") return "confirmed";
  return isAgainst(verdict) || isWorse(verdict) ? "refused" : "undecided";
}

function isAgainst({ kind, belowBar }: Verdict): boolean {
  return kind === "regression" || kind === "costs" || belowBar;
}

function isWorse({ kind, stop }: Verdict): boolean {
  return kind === "cheaper-not-as-good" && stop === "decided";
}
