import type { Verdict } from "./verdict.ts";

/** What becomes of a rule after its verdict. */
export interface Consequence {
  readonly action: "activate" | "keep" | "probation" | "shelve" | "evict";
  /** Strikes against it from now on. */
  readonly strikes: number;
}

/** So many re-audits in a row must show that it does not earn its rent. */
const strikesToLeave = 2;

/** A candidate earns its place, or leaves for a reason that was shown; what was not shown is kept on the shelf with its evidence. */
export function admit(verdict: Verdict): Consequence {
  if (verdict.kind === "saves") return { action: "activate", strikes: 0 };
  return { action: isAgainst(verdict) || isWorse(verdict) ? "evict" : "shelve", strikes: 0 };
}

/**
 * An active rule leaves at once when it breaks a task, and after two re-audits in a row, each with runs of its own, that show it to
 * cost, to save less than its bar, or to make runs fail. Noise alone evicts nothing: a re-audit that shows nothing changes nothing,
 * since keeping a rule that does nothing costs its rent, some dozens of tokens a session, and losing one that saves a twentieth of a
 * run costs thousands.
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
