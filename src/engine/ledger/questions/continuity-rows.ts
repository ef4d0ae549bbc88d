import { readJson } from "../../base/parse.ts";
import type { CompactionDiff, CompactionHead } from "../ledger-answers.ts";
import { diffItems, type DiffItem } from "../entries/continuity-entries.ts";
import { maybeNumberIn, maybeTextIn, textIn, flagIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { factColumns, factsIn, readSessionFacts, type SessionFacts } from "../store/session-facts.ts";
import type { SqlValue } from "sql.js";
import { wakeRow, type WakeRow } from "../woken.ts";

/** Returns the facts that each of a session's compactions kept and lost, newest first. Unreadable ones are left out. */
export function selectCompactionDiffs(db: Database, sessionId: string): CompactionDiff[] {
  const back = new Map(
    db.rows(
      "SELECT diff_id, item_id, given_at FROM put_backs WHERE session_id = ?",
      [sessionId],
      ([diff, item, given]): [string, "chosen" | "given"] => [
        keyOf(textIn(diff), textIn(item)),
        maybeNumberIn(given) === null ? "chosen" : "given",
      ],
    ),
  );
  return db.rows(
    `SELECT id, at, program, "trigger", items FROM compaction_diffs WHERE session_id = ? ORDER BY at DESC, rowid DESC`,
    [sessionId],
    ([id, at, program, trigger, items]): CompactionDiff => {
      const all = itemsIn(maybeTextIn(items));
      return {
        id: textIn(id),
        at: maybeNumberIn(at),
        program: maybeTextIn(program),
        trigger: maybeTextIn(trigger),
        kept: all.filter(({ fate }) => fate === "kept").map(withoutFate),
        lost: all
          .filter(({ fate }) => fate !== "kept")
          .map((item) => ({
            ...withoutFate(item),
            back: item.fate === "told" ? "told" : (back.get(keyOf(textIn(id), item.id)) ?? null),
          })),
      };
    },
  );
}

/** Returns the newest compactions of all sessions that lost or kept any facts, without those facts. */
export function selectRecentCompactions(db: Database, max: number): CompactionHead[] {
  const newest = db.rows(
    `SELECT compaction_diffs.session_id, compaction_diffs.id, title, cwd FROM compaction_diffs
     LEFT JOIN sessions ON sessions.id = compaction_diffs.session_id
     ORDER BY compaction_diffs.at DESC, compaction_diffs.rowid DESC LIMIT ?`,
    [max],
    ([session, id, title, cwd]) => ({
      sessionId: textIn(session),
      id: textIn(id),
      title: maybeTextIn(title),
      cwd: maybeTextIn(cwd),
    }),
  );
  const whole = new Map(
    [...new Set(newest.map(({ sessionId }) => sessionId))]
      .flatMap((session) => selectCompactionDiffs(db, session))
      .map((diff) => [diff.id, diff]),
  );
  return newest.flatMap((head) => {
    const diff = whole.get(head.id);
    if (diff === undefined) return [];
    const { at, kept, lost } = diff;
    const back = lost.filter((item) => item.back === "told" || item.back === "given").length;
    return [{ ...head, at, kept: kept.length, lost: lost.length, back }];
  });
}

function keyOf(diff: string, item: string): string {
  return JSON.stringify([diff, item]);
}

function withoutFate({ id, kind, text, turn }: DiffItem): Omit<DiffItem, "fate"> {
  return { id, kind, text, turn };
}

function itemsIn(text: string | null): DiffItem[] {
  return readJson(diffItems, text) ?? [];
}

export interface PacketPlace {
  /** The project's folder. */
  readonly folder: string;
  /** Null outside of a repository, and where no branch is checked out. */
  readonly branch: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /**
   * Packets with a later time come from a clock that was set back since, and are sorted last. Milliseconds since the
   * epoch.
   */
  readonly until: number;
  /** A session whose own packets do not count. */
  readonly except: string;
  readonly most: number;
}

export function selectNewestPackets(
  db: Database,
  { folder, branch, since, until, except, most }: PacketPlace,
): string[] {
  return db.rows(
    `SELECT packet FROM resume_packets
     WHERE folder = ? AND branch IS ? AND at >= ? AND session_id <> ? AND packet IS NOT NULL
     ORDER BY at > ?, at DESC, turn DESC, session_id LIMIT ?`,
    [folder, branch, since, except, until, most],
    ([text]) => textIn(text),
  );
}

export function selectPacket(db: Database, sessionId: string): string | null {
  const [packet = null] = db.rows(
    `SELECT packet FROM resume_packets WHERE session_id = ? AND packet IS NOT NULL
     ORDER BY at DESC, turn DESC LIMIT 1`,
    [sessionId],
    ([text]) => textIn(text),
  );
  return packet;
}

interface SessionOrigin {
  readonly title: string | null;
  /** Whether it was forked from another. */
  readonly isFork: boolean;
  /** Whether it runs a golden task. */
  readonly isTask: boolean;
}

export function selectSessionOrigin(db: Database, id: string): SessionOrigin | null {
  const facts = readSessionFacts(db, id).get(id);
  if (facts === undefined) return null;
  const isTask = db.first(
    "SELECT EXISTS (SELECT 1 FROM runs WHERE session_id = ? AND task_hash IS NOT NULL)",
    [id],
    ([found]) => flagIn(found),
  );
  return { title: facts.title, isFork: facts.parentId !== null, isTask: isTask === true };
}

export function selectSessionsNamed(db: Database, id: string | null): SessionFacts[] {
  const newest = "ORDER BY last_at DESC, id LIMIT";
  if (id === null) return db.rows(`SELECT ${factColumns} FROM sessions ${newest} 1`, [], factsIn);
  const whole = readSessionFacts(db, id).get(id);
  if (whole !== undefined) return [whole];
  const begins = "substr(id, 1, length(?)) = ?";
  return db.rows(`SELECT ${factColumns} FROM sessions WHERE ${begins} ${newest} 2`, [id, id], factsIn);
}

export function selectStoredScorecard(db: Database, sessionId: string): string | null {
  return (
    db.first("SELECT card FROM scorecards WHERE session_id = ?", [sessionId], ([card]) =>
      maybeTextIn(card),
    ) ?? null
  );
}

export interface WakesQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Null for all. */
  readonly project: string | null;
  readonly most: number;
}

const fields = Object.keys(wakeRow.shape);
const flags = new Set(["resumeFailed", "hasInstructions"]);
const columns = fields
  .map((field) => field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`))
  .join(", ");

export function selectWakes(db: Database, { since, project, most }: WakesQuery): WakeRow[] {
  return db.rows(
    `SELECT ${columns} FROM wakes WHERE at >= ? AND (?2 IS NULL OR project = ?2) ORDER BY at DESC, id DESC LIMIT ?3`,
    [since, project, most],
    (cells) =>
      wakeRow.parse(Object.fromEntries(fields.map((field, index) => [field, valueOf(field, cells[index])]))),
  );
}

function valueOf(field: string, cell: SqlValue | undefined): unknown {
  return flags.has(field) && typeof cell === "number" ? cell !== 0 : cell;
}
