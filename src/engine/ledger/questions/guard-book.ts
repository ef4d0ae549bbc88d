import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** How often a guard rule fired since a time, by what was done about it. */
interface GuardRuleCount {
  readonly rule: string;
  readonly family: string;
  readonly done: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number | null;
  /** Bytes of output that it made smaller, or would have. */
  readonly savedBytes: number;
}

/** One call on which a guard rule fired. */
interface GuardHitRow {
  readonly id: string;
  readonly sessionId: string;
  readonly at: number | null;
  readonly program: string | null;
  readonly tool: string | null;
  readonly rule: string;
  readonly family: string;
  /** The rule's deed where its family is on. */
  readonly action: string;
  readonly done: string;
  readonly excerpt: string | null;
  readonly folder: string | null;
}

export interface GuardBook {
  /** The most frequent first. */
  readonly counts: readonly GuardRuleCount[];
  /** The newest first. */
  readonly hits: readonly GuardHitRow[];
}

/** @param asked since milliseconds since the epoch, and the most hits that are returned one by one */
export function selectGuardBook(
  db: Database,
  { since, most }: { readonly since: number; readonly most: number },
): GuardBook {
  return {
    counts: db.rows(
      `SELECT rule, family, done, count(*), max(at), coalesce(sum(saved_bytes), 0) FROM guard_hits WHERE at >= ?
       GROUP BY rule, family, done ORDER BY 4 DESC, rule, done`,
      [since],
      ([rule, family, done, count, lastAt, savedBytes]) => ({
        rule: textIn(rule),
        family: textIn(family),
        done: textIn(done),
        count: numberIn(count),
        lastAt: maybeNumberIn(lastAt),
        savedBytes: numberIn(savedBytes),
      }),
    ),
    hits: db.rows(
      `SELECT id, session_id, at, program, tool, rule, family, action, done, excerpt, folder
       FROM guard_hits WHERE at >= ? ORDER BY at DESC, id LIMIT ?`,
      [since, most],
      ([id, sessionId, at, program, tool, rule, family, action, done, excerpt, folder]) => ({
        id: textIn(id),
        sessionId: textIn(sessionId),
        at: maybeNumberIn(at),
        program: maybeTextIn(program),
        tool: maybeTextIn(tool),
        rule: textIn(rule),
        family: textIn(family),
        action: textIn(action),
        done: textIn(done),
        excerpt: maybeTextIn(excerpt),
        folder: maybeTextIn(folder),
      }),
    ),
  };
}

/** How often a guard rule fired, whatever was done about it. */
interface GuardCount {
  readonly rule: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number | null;
}

/** Counts how often each guard rule has fired since a time. */
export function selectGuardCounts(db: Database, since: number): GuardCount[] {
  return db.rows(
    "SELECT rule, count(*), max(at) FROM guard_hits WHERE at >= ? GROUP BY rule ORDER BY rule",
    [since],
    ([rule, count, lastAt]) => ({
      rule: textIn(rule),
      count: numberIn(count),
      lastAt: maybeNumberIn(lastAt),
    }),
  );
}
