import type { SqlValue } from "sql.js";
import { maybeNumberIn, maybeTextIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";

export interface SessionFacts {
  readonly id: string;
  readonly program: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly title: string | null;
  /** Milliseconds since the epoch. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly parentId: string | null;
  /** The agent's own running total. USD. */
  readonly officialUsd: number | null;
  /** An earlier version counted its responses, and its transcript was not read since. */
  readonly isCountedBefore: boolean;
  /** The id of the machine that reported it; empty for this one. */
  readonly machine: string;
}

/** The columns that `factsIn` reads; they come first in a select's list. */
export const factColumns =
  "id, program, cwd, branch, title, first_at, last_at, parent_id, official_usd, counted_before, machine";
/** The index of the first column after them. */
export const afterFacts = 11;

export function factsIn(cells: readonly SqlValue[]): SessionFacts {
  return {
    id: textIn(cells[0]),
    program: maybeTextIn(cells[1]),
    cwd: maybeTextIn(cells[2]),
    branch: maybeTextIn(cells[3]),
    title: maybeTextIn(cells[4]),
    firstAt: maybeNumberIn(cells[5]),
    lastAt: maybeNumberIn(cells[6]),
    parentId: maybeTextIn(cells[7]),
    officialUsd: maybeNumberIn(cells[8]),
    isCountedBefore: maybeNumberIn(cells[9]) === 1,
    machine: textIn(cells[10]),
  };
}

/** Facts of one session, or of all sessions when it is null, by id. */
export function readSessionFacts(db: Database, session: string | null): Map<string, SessionFacts> {
  const [where, values] = session === null ? ["", []] : [" WHERE id = ?", [session]];
  const facts = db.rows(`SELECT ${factColumns} FROM sessions${where}`, values, factsIn);
  return new Map(facts.map((each) => [each.id, each]));
}

/**
 * Agents with running totals: earlier versions counted the growth of a total as usage, even with several alternating
 * totals.
 */
const totalPrograms: ReadonlySet<string | null> = new Set(["codex"]);

/**
 * The sessions that an earlier version counted, and that were not read again since. Those counts stay if the transcript
 * is gone, and are marked.
 */
export class EarlierCounts {
  readonly #db: Database;
  /** By session, whether its responses are replaced when it is read again; null until needed. */
  #sessions: Map<string, boolean> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns all sessions with responses, now marked */
  markAll(): string[] {
    const ids = "SELECT DISTINCT session_id FROM responses WHERE machine = ''";
    this.#db.run(`UPDATE sessions SET counted_before = 1 WHERE id IN (${ids})`);
    this.forget();
    return [...this.#marked().keys()];
  }

  /** A response of the session was read again. @returns whether its earlier responses are wrong and to be deleted; null for an unmarked session */
  readAgain(session: string): boolean | null {
    const isReplaced = this.#marked().get(session);
    if (isReplaced === undefined) return null;
    this.#marked().delete(session);
    this.#db.run("UPDATE sessions SET counted_before = NULL WHERE id = ?", [session]);
    return isReplaced;
  }

  /** Clears the cache, because a rollback may have undone the marks. */
  forget(): void {
    this.#sessions = null;
  }

  #marked(): Map<string, boolean> {
    const sql = "SELECT id, program FROM sessions WHERE counted_before = 1";
    return (this.#sessions ??= new Map(
      this.#db.rows(sql, [], ([id, program]) => [textIn(id), totalPrograms.has(maybeTextIn(program))]),
    ));
  }
}
