import { setImmediate as nextTurn } from "node:timers/promises";
import type { SqlValue } from "sql.js";
import { numberIn } from "./cell.ts";
import type { Database } from "./database.ts";
import { exportedTables, type ExportedTable } from "./tables.ts";

export interface ExportOptions {
  /** `csv` is one table; `json` and `sqlite` hold all of them. */
  readonly format: "json" | "csv" | "sqlite";
  /** Only rows from this time on, in tables whose rows have one. Milliseconds since the epoch. Null is all. */
  readonly since: number | null;
  /** For `csv`. Default: `responses`. */
  readonly table?: ExportedTable;
}

/** Rows that are read at once. */
const page = 500;
/** Bytes that are handed out at once of what is in memory already. */
const chunk = 1 << 20;

type Row = readonly SqlValue[];

/** Streams the tables in pieces of at most a few hundred kilobytes, whatever their size. */
export async function* exportTables(db: Database, options: ExportOptions): AsyncGenerator<Uint8Array> {
  const { format, since, table = "responses" } = options;
  switch (format) {
    case "json":
      yield* encoded(jsonOf(db, since));
      return;
    case "csv":
      yield* encoded(csvOf(db, table, since));
      return;
    case "sqlite":
      yield* sqliteOf(db, since);
      return;
  }
}

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text);
    await nextTurn();
  }
}

/** `{"schema":1,"tables":{"sessions":[{…},…],…}}`, a row a line. */
function* jsonOf(db: Database, since: number | null): Generator<string> {
  let before = `{"schema":1,"tables":{`;
  for (const { table } of exportedTables) {
    const names = columnsOf(db, table);
    yield `${before}\n"${table}":[`;
    let between = "\n";
    for (const rows of pagesOf(db, table, since)) {
      yield between + rows.map((row) => JSON.stringify(objectOf(names, row))).join(",\n");
      between = ",\n";
    }
    before = "],";
  }
  yield "]}}\n";
}

function objectOf(names: readonly string[], row: Row): Record<string, SqlValue> {
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
}

/** As RFC 4180 has it. */
function* csvOf(db: Database, table: ExportedTable, since: number | null): Generator<string> {
  yield `${columnsOf(db, table).join(",")}\r\n`;
  for (const rows of pagesOf(db, table, since))
    yield rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

/** A text a spreadsheet would take for a formula is given an apostrophe: paths and titles are other people's words. */
function csvCell(value: SqlValue): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll(`"`, `""`)}"` : text;
}

function columnsOf(db: Database, table: ExportedTable): string[] {
  return db.columns(`SELECT * FROM ${table}`);
}

/** By row numbers, so that what is appended between two pages does no harm. */
function* pagesOf(db: Database, table: ExportedTable, since: number | null): Generator<Row[]> {
  const time = exportedTables.find((each) => each.table === table)?.time ?? null;
  const isRecent = since === null || time === null ? "1" : `${time} >= ${Math.trunc(since)}`;
  const sql = `SELECT rowid, * FROM ${table} WHERE rowid > ? AND ${isRecent} ORDER BY rowid LIMIT ${page}`;
  for (let after = 0; ;) {
    const rows = db.rows(sql, [after], (cells) => cells);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = numberIn(last[0]);
    yield rows.map((cells) => cells.slice(1));
  }
}

async function* sqliteOf(db: Database, since: number | null): AsyncGenerator<Uint8Array> {
  const bytes = since === null ? db.bytes() : recentBytes(db, Math.trunc(since));
  for (let start = 0; start < bytes.length; start += chunk) {
    yield bytes.subarray(start, start + chunk);
    await nextTurn();
  }
}

function recentBytes(db: Database, since: number): Uint8Array {
  const copy = db.copy();
  try {
    for (const { table, time } of exportedTables) {
      if (time === null) continue;
      const isUnused = table === "sessions" ? ` AND ${withoutRows}` : "";
      copy.execute(`DELETE FROM ${table} WHERE (${time} IS NULL OR ${time} < ${since})${isUnused}`);
    }
    copy.execute("VACUUM");
    return copy.bytes();
  } finally {
    copy.close();
  }
}

/** What refers to a session keeps it. */
const withoutRows = [
  "responses",
  "tool_calls",
  "file_reads",
  "compactions",
  "runs",
  "hook_events",
  "questions",
]
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.session_id = sessions.id)`)
  .join(" AND ");
