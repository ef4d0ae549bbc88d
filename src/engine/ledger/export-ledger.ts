import { setImmediate as nextTurn } from "node:timers/promises";
import type { SqlValue } from "sql.js";
import { csvField, printedJson } from "../base/text.ts";
import { numberIn } from "./store/cell.ts";
import type { SharedOptions } from "./machines/export-rows.ts";
import type { Database } from "./store/database.ts";
import { rebuild } from "./store/rebuild.ts";
import { exportedTables, type ExportedTable } from "./store/columns.ts";

export { exportedTables } from "./store/columns.ts";
export { rowsLeftOut } from "./collect/collect-source.ts";

export interface ExportOptions {
  /** `csv` is one table; `json` and `sqlite` hold all of them. */
  readonly format: "json" | "csv" | "sqlite";
  /** Only rows from this time on, in tables with a time. Milliseconds since the epoch. Null means all rows. */
  readonly since: number | null;
  /** For `csv`. Default: `responses`. */
  readonly table?: ExportedTable;
}

/** This machine's rows for another machine of the user. */
export type SharedExportOptions = { readonly format: "ndjson" } & SharedOptions;

/** Rows read at once. */
const page = 500;
/** Bytes yielded at once from content already in memory. */
const chunk = 1 << 20;

type Row = readonly SqlValue[];
/** Yields the bytes of the ledger's file. */
type Whole = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Streams the tables in pieces of at most a few hundred kilobytes, whatever their size. */
export async function* exportTables(
  db: Database,
  whole: Whole,
  options: ExportOptions,
): AsyncGenerator<Uint8Array> {
  const { format, since, table = "responses" } = options;
  switch (format) {
    case "json":
      yield* encoded(jsonOf(db, since));
      return;
    case "csv":
      yield* encoded(csvOf(db, table, since));
      return;
    case "sqlite":
      yield* sqliteOf(db, whole, since);
      return;
  }
}

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text);
    await nextTurn();
  }
}

/** `{"schema":1,"tables":{"sessions":[{…},…],…}}`, one row per line. */
function* jsonOf(db: Database, since: number | null): Generator<string> {
  let before = `{"schema":1,"tables":{`;
  for (const { table } of exportedTables) {
    const names = columnsOf(db, table);
    yield `${before}\n"${table}":[`;
    let between = "\n";
    for (const rows of pagesOf(db, table, since)) {
      yield between + rows.map((row) => printedJson(objectOf(names, row))).join(",\n");
      between = ",\n";
    }
    before = "],";
  }
  yield "]}}\n";
}

function objectOf(names: readonly string[], row: Row): Record<string, SqlValue> {
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
}

/** CSV as in RFC 4180. */
function* csvOf(db: Database, table: ExportedTable, since: number | null): Generator<string> {
  yield `${columnsOf(db, table).join(",")}\r\n`;
  for (const rows of pagesOf(db, table, since))
    yield rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(value: SqlValue): string {
  return csvField(value instanceof Uint8Array ? String(value) : value);
}

function columnsOf(db: Database, table: ExportedTable): string[] {
  return db.columns(`SELECT * FROM ${table}`);
}

/** Pages by row number, so that rows appended between two pages are harmless. */
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

/** @param whole the bytes of the ledger's file */
async function* sqliteOf(db: Database, whole: Whole, since: number | null): AsyncGenerator<Uint8Array> {
  if (since === null) {
    for await (const piece of whole()) {
      yield piece;
      await nextTurn();
    }
    return;
  }
  const recent = await recentBytes(db, Math.trunc(since));
  for (let start = 0; start < recent.length; start += chunk) {
    yield recent.subarray(start, start + chunk);
    await nextTurn();
  }
}

/** An SQLite file with the rows since a time and the rows they refer to. */
async function recentBytes(db: Database, since: number): Promise<Uint8Array> {
  const recent = db.emptyDatabase();
  try {
    await rebuild(db, recent, (table) => recentRows(table, since));
    return recent.bytes();
  } finally {
    recent.close();
  }
}

function recentRows(table: string, since: number): string | null {
  const time = exportedTables.find((each) => each.table === table)?.time ?? null;
  const isUsed = `(last_at >= ${since} OR EXISTS (${usesOf(since)}))`;
  if (table === "sessions") return isUsed;
  if (table === "subagents") return `session_id IN (SELECT id FROM sessions WHERE ${isUsed})`;
  return time === null ? null : `${time} >= ${since}`;
}

/** Condition on a session: rows since a time refer to it. */
function usesOf(since: number): string {
  return referring
    .map(
      ([table, time]) =>
        `SELECT 1 FROM ${table} WHERE ${table}.session_id = sessions.id AND ${table}.${time} >= ${since}`,
    )
    .join(" UNION ALL ");
}

const referring = [
  ["responses", "at"],
  ["tool_calls", "at"],
  ["file_reads", "at"],
  ["compactions", "at"],
  ["runs", "ended_at"],
  ["hook_events", "at"],
  ["context_fills", "at"],
  ["anomalies", "at"],
  ["questions", "at"],
] as const;
