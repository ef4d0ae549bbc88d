import { numberIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** How many migrations a database has taken. */
export function schemaVersion(db: Database): number {
  return db.first("PRAGMA user_version", [], ([version]) => numberIn(version)) ?? 0;
}

/** Takes the steps that are missing, all or none. A database of a later version than the steps reach is left as it is. */
export function migrate(db: Database, steps: readonly string[]): void {
  const from = schemaVersion(db);
  if (from >= steps.length) return;
  db.together(() => {
    for (const step of steps.slice(from)) db.execute(step);
    db.execute(`PRAGMA user_version = ${steps.length}`);
  });
}
