import { textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

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
  /** Maximum number of packets returned. */
  readonly most: number;
}

/** Returns the newest packets from work at a place, as JSON texts, newest first. */
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

/** Returns a session's newest packet as JSON text; null if it has none. */
export function selectPacket(db: Database, sessionId: string): string | null {
  const [packet = null] = db.rows(
    `SELECT packet FROM resume_packets WHERE session_id = ? AND packet IS NOT NULL
     ORDER BY at DESC, turn DESC LIMIT 1`,
    [sessionId],
    ([text]) => textIn(text),
  );
  return packet;
}
