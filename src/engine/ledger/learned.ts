/** What was learned from sessions. */
import type { GuardAdvice } from "./ledger-answers.ts";
import { maybeNumberIn, numberIn, textIn, maybeTextIn } from "./store/cell.ts";
import type { Database } from "./store/database.ts";
import type { RowOf } from "./store/read-rows.ts";

/**
 * Kinds of text that continuity itself sends to agents, by the rule that hooks record with them. They are muted like
 * the advice of guards. A fact that a person restored is never muted.
 */
export const sentTexts = ["resume-packet", "resume-offer", "lost-facts"] as const;
export type SentText = (typeof sentTexts)[number];

/** The same as a list in SQL. */
export const sentTextList = sentTexts.map((rule) => `'${rule}'`).join(", ");

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

// Facts learned from past sessions, for clients. Times are milliseconds since the epoch.

/** Facts that one task found in one session. */
export const sessionFactsRow = {
  id: textIn,
  sessionId: textIn,
  task: textIn,
  program: textIn,
  project: textIn,
  at: maybeNumberIn,
  turns: numberIn,
  origin: maybeTextIn,
  stamp: textIn,
  facts: maybeTextIn,
};
export type SessionFactsRow = RowOf<typeof sessionFactsRow>;

/** The user's decision on a learned fact. */
interface Mark {
  readonly state: "shown" | "kept" | "edited" | "forgotten";
  /** In the user's words. */
  readonly text: string | null;
  readonly at: number | null;
}

/** Members shared by everything that is reviewed. */
interface Reviewed {
  readonly id: string;
  /** The project's folder. */
  readonly project: string;
  /** A sentence. */
  readonly text: string;
  /** The number of sessions in which it was seen, and of all sightings. */
  readonly sessions: number;
  readonly times: number;
  /** The newest sessions and their turns, as JSON text. */
  readonly evidence: string | null;
  /** When it was last seen. */
  readonly at: number | null;
  /** 0 to 100; null before it is known. */
  readonly score: number | null;
  /** Null without a decision of the user. */
  readonly mark: Mark | null;
  /** Sessions that received it, and the outcomes. */
  readonly uses: number;
  readonly usedAt: number | null;
  readonly helped: number;
  readonly failed: number;
}

export interface LearnedRow extends Reviewed {
  readonly task: string;
  readonly subject: string | null;
  readonly remedy: string | null;
  readonly good: number;
}

export interface LearnedDeadEnd extends Reviewed {
  readonly how: "failed" | "reverted";
}

export const workingSetRow = {
  id: textIn,
  project: textIn,
  path: textIn,
  score: numberIn,
  reads: numberIn,
  edits: numberIn,
  sessions: numberIn,
  at: maybeNumberIn,
};
export type WorkingSetRow = RowOf<typeof workingSetRow>;

export const effectivenessRow = {
  id: textIn,
  /** A guard's rule. */
  subject: textIn,
  /** The phase of the session's work when it was sent; empty where unknown. */
  phase: textIn,
  helped: numberIn,
  failed: numberIn,
};
export type EffectivenessRow = RowOf<typeof effectivenessRow>;

export interface LearnedBook {
  readonly learned: readonly LearnedRow[];
  readonly deadEnds: readonly LearnedDeadEnd[];
  readonly workingSet: readonly WorkingSetRow[];
  readonly effectiveness: readonly EffectivenessRow[];
}
