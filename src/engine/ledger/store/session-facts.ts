import type { SqlValue } from "sql.js";
import { maybeNumberIn, maybeTextIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";

/** The facts about a session as a whole. */
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
}

/** The columns that `factsIn` reads; they come first in a select's list. */
export const factColumns = "id, program, cwd, branch, title, first_at, last_at, parent_id, official_usd";

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
  };
}

/** Facts of one session, or of all sessions when it is null, by id. */
export function readSessionFacts(db: Database, session: string | null): Map<string, SessionFacts> {
  const [where, values] = session === null ? ["", []] : [" WHERE id = ?", [session]];
  const facts = db.rows(`SELECT ${factColumns} FROM sessions${where}`, values, factsIn);
  return new Map(facts.map((each) => [each.id, each]));
}

/** A session file with running totals, named by its whole session. */
const namedBySession = /-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/u;

/**
 * The sessions of which an earlier version may have counted too much: it took the growth of a total for usage, also where several totals take
 * turns in a file. Only those with a file from which they are counted again; what is gone stays as it was counted.
 */
export function sessionsToForget(db: Database, isThere: (file: string) => boolean): string[] {
  const paths = db.rows("SELECT path FROM positions", [], ([file]) => textIn(file));
  return paths.flatMap((file) => {
    const session = namedBySession.exec(file)?.[1];
    return session !== undefined && isThere(file) ? [session] : [];
  });
}
