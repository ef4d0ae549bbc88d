import { setImmediate as nextTurn } from "node:timers/promises";
import { maybeNumberIn, numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import { schemaVersion } from "./migrate.ts";

/** Rows copied in one transaction: a transaction's changes stay in memory until it ends. */
const rowsAtOnce = 2000;

/**
 * Copies a database into an empty one, table by table and without the space of removed rows. SQLite's `VACUUM` does the
 * same, but would need all of it in memory. Rows keep their numbers.
 *
 * @param into an empty database that nothing else uses
 * @param isWanted an SQL condition on a table's rows; null for all rows
 */
export async function rebuild(
  from: Database,
  into: Database,
  isWanted: (table: string) => string | null = () => null,
): Promise<void> {
  const made = from.rows(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'index', rowid",
    [],
    ([type, name, sql]) => ({ isTable: textIn(type) === "table", name: textIn(name), sql: textIn(sql) }),
  );
  const tables = made.filter(({ isTable }) => isTable);
  for (const { sql } of tables) into.execute(sql);
  into.execute(`PRAGMA user_version = ${schemaVersion(from)}`);
  for (const { name } of tables) await copyTable(name, { from, into, where: isWanted(name) ?? "1" });
  for (const { isTable, sql } of made) {
    if (isTable) continue;
    into.execute(sql);
    await nextTurn();
  }
}

async function copyTable(
  table: string,
  { from, into, where }: { from: Database; into: Database; where: string },
): Promise<void> {
  // Excludes computed columns.
  const columns = from.rows(`PRAGMA table_info(${table})`, [], (cells) => `"${textIn(cells[1])}"`);
  const names = ["rowid", ...columns].join(", ");
  const select = `SELECT ${names} FROM ${table} WHERE rowid > ? AND (${where}) ORDER BY rowid LIMIT ${rowsAtOnce}`;
  const insert = `INSERT INTO ${table} (${names}) VALUES (${["?", ...columns.map(() => "?")].join(", ")})`;
  const first = from.first(`SELECT min(rowid) FROM ${table}`, [], ([rowid]) => maybeNumberIn(rowid)) ?? null;
  for (let after = (first ?? 0) - 1; first !== null;) {
    const rows = from.rows(select, [after], (cells) => cells);
    into.transaction(() => {
      for (const cells of rows) into.run(insert, cells);
    });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = numberIn(last[0]);
    await nextTurn();
  }
}
