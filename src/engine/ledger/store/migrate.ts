import { sentence, type Sentence } from "../../base/language.ts";
import { numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import { firstSchema, firstVersion, latestVersion, migrations } from "./migrations.ts";

/** The schema version of a database; 0 when it is empty. */
export function schemaVersion(db: Database): number {
  return db.first("PRAGMA user_version", [], ([version]) => numberIn(version)) ?? 0;
}

/** Brings a database to the latest version, completely or not at all. Leaves a database of a later version unchanged. */
export function migrate(db: Database, steps: readonly string[]): void {
  const from = schemaVersion(db);
  if (from >= latestVersion(steps)) return;
  db.transaction(() => {
    if (from === 0) db.execute(firstSchema);
    else if (from < firstVersion) carryOver(db);
    for (const step of steps.slice(Math.max(0, from - firstVersion))) db.execute(step);
    db.execute(`PRAGMA user_version = ${latestVersion(steps)}`);
  });
}

/**
 * Replaces the tables from before the first release by those of the first schema, with all rows of tables that are in
 * both. A missing value becomes null, or empty if the first schema requires one.
 */
function carryOver(db: Database): void {
  const before = tablesOf(db);
  for (const { type, name } of db.rows(
    "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'table'",
    [],
    ([kind, own]) => ({ type: textIn(kind), name: textIn(own) }),
  ))
    db.execute(`DROP ${type} ${quoted(name)}`);
  for (const table of before.keys()) db.execute(`ALTER TABLE ${quoted(table)} RENAME TO ${aside(table)}`);
  db.execute(firstSchema);
  for (const [table, columns] of tablesOf(db)) {
    const old = before.get(table)?.map(({ name }) => name);
    if (old === undefined) continue;
    const names = columns.map(({ name }) => quoted(name)).join(", ");
    const values = columns.map(({ name, empty }) => (old.includes(name) ? quoted(name) : empty)).join(", ");
    db.execute(`DELETE FROM ${quoted(table)}`);
    db.execute(`INSERT INTO ${quoted(table)} (${names}) SELECT ${values} FROM ${aside(table)}`);
  }
  for (const table of before.keys()) db.execute(`DROP TABLE ${aside(table)}`);
}

const aside = (table: string) => quoted(`old ${table}`);

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

interface Column {
  readonly name: string;
  /** SQL of the value for a row without one. */
  readonly empty: string;
}

/** Columns by table, without computed ones. */
function tablesOf(db: Database): ReadonlyMap<string, readonly Column[]> {
  const found = new Map<string, Column[]>();
  db.each(
    `SELECT tables.name, columns.name, columns.type, columns."notnull", columns.dflt_value FROM sqlite_schema AS tables
    JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' ORDER BY tables.rowid, columns.cid`,
    [],
    ([table, name, type, isRequired, preset]) => {
      const filler = type === "TEXT" ? "''" : "0";
      const empty = typeof preset === "string" ? preset : isRequired === 1 ? filler : "NULL";
      found.set(textIn(table), [...(found.get(textIn(table)) ?? []), { name: textIn(name), empty }]);
    },
  );
  return found;
}

/**
 * The table or column of this version that a database lacks; null when it has them all. SQLite's own check does not
 * find it, and each question and entry would fail separately.
 */
export function tableFault(db: Database): Sentence | null {
  const right = db.emptyDatabase();
  try {
    migrate(right, migrations);
    const found = columnsOf(db);
    for (const [table, columns] of columnsOf(right)) {
      const own = found.get(table);
      if (own === undefined) return sentence("its table {0} is missing", table);
      const missing = columns.find((column) => !own.includes(column));
      if (missing !== undefined) return sentence("its table {0} has no column {1}", table, missing);
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
