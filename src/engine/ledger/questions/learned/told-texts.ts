import type { GuardAdvice } from "../../answers.ts";
import { maybeNumberIn, numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/**
 * Kinds of text that continuity tells agents of itself, by the rule that hooks record with it. They fall silent as the advice of guards does;
 * what a person has put back never does.
 */
export const toldTexts = ["resume-packet", "resume-offer", "lost-facts"] as const;
export type ToldText = (typeof toldTexts)[number];

/** For SQL. */
export const toldList = toldTexts.map((rule) => `'${rule}'`).join(", ");

/** Returns how texts of these kinds turned out, since each was last called back, as learning has counted it. */
export function selectToldTexts(db: Database): GuardAdvice[] {
  return db.rows(
    `SELECT subject, sum(helped), sum(failed), (SELECT max(at) FROM guard_wakes w WHERE w.rule = subject)
     FROM effectiveness WHERE subject IN (${toldList}) GROUP BY subject ORDER BY subject`,
    [],
    ([rule, helped, failed, wokenAt]) => ({
      rule: textIn(rule),
      helped: numberIn(helped),
      failed: numberIn(failed),
      wokenAt: maybeNumberIn(wokenAt),
    }),
  );
}
