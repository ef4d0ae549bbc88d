import { english } from "../../base/text/english.ts";
import { numberIn, textIn } from "./cell.ts";
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

/**
 * What of this version's tables a database lacks; null when it has them all. SQLite's own check does not find it, and each question and
 * entry would fail by itself.
 */
export function tableFault(db: Database): string | null {
  const right = db.emptyDatabase();
  try {
    right.execute(currentSchema);
    const found = columnsOf(db);
    for (const [table, columns] of columnsOf(right)) {
      const own = found.get(table);
      if (own === undefined) return english("its table {0} is missing", table);
      const missing = columns.find((column) => !own.includes(column));
      if (missing !== undefined) return english("its table {0} has no column {1}", table, missing);
    }
    return null;
  } finally {
    right.close();
  }
}

function columnsOf(db: Database): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>();
  const select = `SELECT tables.name, columns.name FROM sqlite_schema AS tables
    JOIN pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table'`;
  db.each(select, [], ([table, column]) => {
    const name = textIn(table);
    columns.set(name, [...(columns.get(name) ?? []), textIn(column)]);
  });
  return columns;
}
