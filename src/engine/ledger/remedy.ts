import { refusalRemedy } from "../base/files.ts";
import { sentence, type Sentence } from "../base/language.ts";

export interface LedgerRefusal {
  readonly reason: string;
  readonly detail: Sentence;
}

/** The remedy for a ledger that cannot be opened or written; null if only a backup or a new ledger helps. */
export function ledgerRemedy({ reason, detail }: LedgerRefusal): Sentence | null {
  return reason === "newer_version" ? sentence("update purser, or its extension") : refusalRemedy(detail);
}

/** The same for an open ledger that accepts no entries. */
export function takesInNothing(why: Sentence): Sentence {
  return sentence("The ledger takes in nothing new: {why}", { why: why });
}

/**
 * The sentence that all windows and terminals show if no ledger can be opened: the reason, the remedy, and what is
 * still shown.
 */
export function cannotOpen(refusal: LedgerRefusal): Sentence {
  return sentence(
    "the ledger cannot be opened: {why}; {what}. purser usage still counts transcripts that are there",
    {
      why: refusal.detail,
      what:
        ledgerRemedy(refusal) ??
        sentence(
          "purser ledger restore FILE replaces it with a backup, and purser doctor says what to do without one",
        ),
    },
  );
}

/** Names the ledger in the list of unreadable files, with the reason why nothing is collected into it. */
export const ledgerItself = "ledger";
