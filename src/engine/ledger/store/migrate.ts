import { numberIn } from "./cell.ts";
import type { Database } from "./database.ts";

/** The number of migrations that a database has had. */
export function schemaVersion(db: Database): number {
  return db.first("PRAGMA user_version", [], ([version]) => numberIn(version)) ?? 0;
}

/** Applies the missing steps, all or none. Leaves a database of a later version unchanged. */
export function migrate(db: Database, steps: readonly string[]): void {
  const from = schemaVersion(db);
  if (from >= steps.length) return;
  db.transaction(() => {
    for (const step of steps.slice(from)) db.execute(step);
    db.execute(`PRAGMA user_version = ${steps.length}`);
  });
}
