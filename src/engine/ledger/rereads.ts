import type { Reread } from "./answers.ts";
import { compareNames } from "./breakdown.ts";
import { maybeNumberIn, maybeTextIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";

/** A file that one session read more than once, and when. */
export interface RereadFile {
  readonly path: string;
  readonly reads: readonly { readonly day: string | null; readonly chars: number | null }[];
}

interface RereadInput {
  readonly db: Database;
  readonly dayOf: (at: number) => string;
}

/** Of one session, or of all of them when it is null. */
export function readRereads({ db, dayOf }: RereadInput, session: string | null): Map<string, RereadFile[]> {
  const sessions = new Map<string, Map<string, { day: string | null; chars: number | null }[]>>();
  const [where, values] = session === null ? ["", []] : [" WHERE session_id = ?", [session]];
  db.rows(`SELECT session_id, path, at, chars FROM file_reads${where}`, values, (cells) => {
    const path = maybeTextIn(cells[1]);
    if (path === null) return;
    const id = textIn(cells[0]);
    let files = sessions.get(id);
    if (files === undefined) sessions.set(id, (files = new Map<string, never>()));
    let reads = files.get(path);
    if (reads === undefined) files.set(path, (reads = []));
    const at = maybeNumberIn(cells[2]);
    reads.push({ day: at === null ? null : dayOf(at), chars: maybeNumberIn(cells[3]) });
  });
  return new Map(
    Array.from(sessions, ([id, files]): [string, RereadFile[]] => [
      id,
      Array.from(files, ([path, reads]) => ({ path, reads })).filter(({ reads }) => reads.length > 1),
    ]),
  );
}

/** What of it counts on some days: null where it was read but once. */
export function rereadOf(
  { path, reads }: RereadFile,
  { sessionId, isDay }: { sessionId: string; isDay: (day: string | null) => boolean },
): Reread | null {
  const counted = reads.filter(({ day }) => isDay(day));
  if (counted.length < 2) return null;
  const told = counted.flatMap(({ chars }) => chars ?? []);
  const chars = told.length === 0 ? null : told.reduce((sum, each) => sum + each, 0);
  return { path, sessionId, reads: counted.length, chars };
}

/** The most often read first. */
export function byReads(one: Reread, other: Reread): number {
  return (
    other.reads - one.reads ||
    (other.chars ?? 0) - (one.chars ?? 0) ||
    compareNames(one.path, other.path) ||
    compareNames(one.sessionId, other.sessionId)
  );
}
