import { numberIn } from "./cell.ts";
import type { Database } from "./database.ts";
import { currentSchema } from "../migrations/current.ts";
import { migrations } from "../migrations/migrations.ts";

/** The number of migrations that a database has had. */
export function schemaVersion(db: Database): number {
  return db.first("PRAGMA user_version", [], ([version]) => numberIn(version)) ?? 0;
}

/** Applies the missing steps, all or none: an empty database gets at once what they make. Leaves a database of a later version unchanged. */
export function migrate(db: Database, steps: readonly string[]): void {
  const from = schemaVersion(db);
  if (from >= steps.length) return;
  const missing = from === 0 && steps === migrations ? [currentSchema] : steps.slice(from);
  db.transaction(() => {
    for (const step of missing) db.execute(step);
    db.execute(`PRAGMA user_version = ${steps.length}`);
  });
}
