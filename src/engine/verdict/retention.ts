import type { Verdict } from "./verdict.ts";

/** Effect of a verdict on its rule. */
export interface Consequence {
  readonly action: "activate" | "keep" | "probation" | "shelve" | "evict";
  /** Strikes against the rule from now on. */
  readonly strikes: number;
}

/** Consecutive re-audits that must show that a rule does not earn its rent. */
const strikesToLeave = 2;

/** Activates a candidate that is shown to save, evicts one with a shown fault, and shelves any other with its evidence. */
export function admit(verdict: Verdict): Consequence {
  if (verdict.kind === "saves") return { action: "activate", strikes: 0 };
  return { action: isAgainst(verdict) || isWorse(verdict) ? "evict" : "shelve", strikes: 0 };
}

/**
 * Evicts an active rule at once when it breaks a task, and after two re-audits in a row, each with runs of
 * its own, that show it to cost, to save less than its bar, or to make runs fail. Noise alone evicts nothing:
 * a re-audit that shows nothing changes nothing, because keeping a useless rule costs its rent, some dozens
 * of tokens a session, while losing one that saves a twentieth of a run costs thousands.
 */
export function retain(verdict: Verdict, strikes: number): Consequence {
  if (verdict.kind === "regression") return { action: "evict", strikes };
  if (!isAgainst(verdict) && !isWorse(verdict)) return { action: "keep", strikes: 0 };
  const now = strikes + 1;
  return { action: now >= strikesToLeave ? "evict" : "probation", strikes: now };
}

function isAgainst({ kind, belowBar }: Verdict): boolean {
  return kind === "regression" || kind === "costs" || belowBar;
}

function isWorse({ kind, stop }: Verdict): boolean {
  return kind === "cheaper-not-as-good" && stop === "decided";
}
