import type { SqlValue } from "sql.js";
import { wakeRow, type WakeRow } from "../../woken.ts";
import type { Database } from "../../store/database.ts";

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

/** Wakes of recurring agents, newest first. */
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
