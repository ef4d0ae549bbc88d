import type { GuardAdvice } from "../../answers.ts";
import { maybeNumberIn, numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/**
 * Kinds of text that continuity itself sends to agents, by the rule that hooks record with them. They are muted like
 * the advice of guards. A fact that a person restored is never muted.
 */
export const sentTexts = ["resume-packet", "resume-offer", "lost-facts"] as const;
export type SentText = (typeof sentTexts)[number];

/** The same as a list in SQL. */
export const sentTextList = sentTexts.map((rule) => `'${rule}'`).join(", ");

/** Returns the outcomes of these kinds of texts since each was last unmuted, as counted by learning. */
export function selectSentTexts(db: Database): GuardAdvice[] {
  return db.rows(
    `SELECT subject, sum(helped), sum(failed), (SELECT max(at) FROM guard_wakes w WHERE w.rule = subject)
     FROM effectiveness WHERE subject IN (${sentTextList}) GROUP BY subject ORDER BY subject`,
    [],
    ([rule, helped, failed, wokenAt]) => ({
      rule: textIn(rule),
      helped: numberIn(helped),
      failed: numberIn(failed),
      wokenAt: maybeNumberIn(wokenAt),
    }),
  );
}
