import { refusalRemedy } from "../base/disk/refusal-remedy.ts";
import { english } from "../base/text/english.ts";

/** Why a ledger cannot be opened or written. */
export interface LedgerRefusal {
  readonly reason: string;
  readonly detail: string;
}

/** The remedy for a ledger that cannot be opened or written; null if only a backup or a new ledger helps. */
export function ledgerRemedy({ reason, detail }: LedgerRefusal): string | null {
  return reason === "newer_version" ? english("update purser, or its extension") : refusalRemedy(detail);
}

/** The same for an open ledger that accepts no entries. */
export function takesInNothing(why: string): string {
  return english("The ledger takes in nothing new: {saidWhy}", { saidWhy: why });
}

/**
 * The sentence that all windows and terminals show if no ledger can be opened: the reason, the remedy, and what is
 * still shown.
 */
export function cannotOpen(refusal: LedgerRefusal): string {
  return english(
    "the ledger cannot be opened: {saidWhy}; {saidWhat}. purser usage still counts transcripts that are there",
    {
      saidWhy: refusal.detail,
      saidWhat:
        ledgerRemedy(refusal) ??
        english(
          "purser ledger restore FILE replaces it with a backup, and purser doctor says what to do without one",
        ),
    },
  );
}
