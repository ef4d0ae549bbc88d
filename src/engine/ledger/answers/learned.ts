/** Facts learned from past sessions, for clients. Times are milliseconds since the epoch. */

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

export interface WorkingSetRow {
  readonly id: string;
  readonly project: string;
  readonly path: string;
  readonly score: number;
  readonly reads: number;
  readonly edits: number;
  readonly sessions: number;
  readonly at: number | null;
}

export interface EffectivenessRow {
  readonly id: string;
  /** A guard's rule. */
  readonly subject: string;
  /** The phase of the session's work when it was sent; empty where unknown. */
  readonly phase: string;
  readonly helped: number;
  readonly failed: number;
}

export interface LearnedBook {
  readonly learned: readonly LearnedRow[];
  readonly deadEnds: readonly LearnedDeadEnd[];
  readonly workingSet: readonly WorkingSetRow[];
  readonly effectiveness: readonly EffectivenessRow[];
}
