import { textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

export interface PacketPlace {
  /** The project's. */
  readonly folder: string;
  /** Null outside of a repository, and where no branch is checked out. */
  readonly branch: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** A session whose own packets do not count. */
  readonly except: string;
}

/** Returns the newest packet of work at a place, as JSON text; null for none. */
export function selectNewestPacket(
  db: Database,
  { folder, branch, since, except }: PacketPlace,
): string | null {
  const [packet = null] = db.rows(
    `SELECT packet FROM resume_packets
     WHERE folder = ? AND branch IS ? AND at >= ? AND session_id <> ? AND packet IS NOT NULL
     ORDER BY at DESC, turn DESC, session_id LIMIT 1`,
    [folder, branch, since, except],
    ([text]) => textIn(text),
  );
  return packet;
}

/** Returns a session's newest packet, as JSON text; null for none. */
export function selectPacket(db: Database, sessionId: string): string | null {
  const [packet = null] = db.rows(
    `SELECT packet FROM resume_packets WHERE session_id = ? AND packet IS NOT NULL
     ORDER BY at DESC, turn DESC LIMIT 1`,
    [sessionId],
    ([text]) => textIn(text),
  );
  return packet;
}
