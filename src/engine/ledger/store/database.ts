import initSqlJs, {
  type Database as SqlDatabase,
  type SqlJsStatic,
  type SqlValue,
  type Statement,
} from "sql.js";
import type { PagedBytes } from "../pages/paged-bytes.ts";
import { RowStatement } from "./row-statement.ts";

/** SQLite as WebAssembly, loaded. Can hold several databases. */
export type SqlEngine = SqlJsStatic;

/** @param wasmPath the `sql-wasm.wasm` of the bundled sql.js version */
export async function loadSqlEngine(wasmPath: string): Promise<SqlEngine> {
  return initSqlJs({ locateFile: () => wasmPath });
}

/**
 * Collected rows change pages all over the file: with a smaller cache most of them are read repeatedly. KiB, negative
 * as SQLite expects.
 */
const cacheSize = -8000;
/**
 * The journal provides durability, and there is only one writer: SQLite's own means for both are switched off. Pages
 * are written only after a transaction has ended, so that a rollback never shortens the file (`PagedBytes`).
 */
const settings = [
  "journal_mode = MEMORY",
  "synchronous = OFF",
  "locking_mode = EXCLUSIVE",
  "cache_spill = OFF",
  `cache_size = ${cacheSize}`,
  // Each row's session is ensured as the row is written (`EntryWriter`); a check of every row would look it up again.
  "foreign_keys = OFF",
];

/** A database. Each statement is prepared once, at its first use. */
export class Database {
  readonly #engine: SqlEngine;
  #sql: SqlDatabase;
  readonly #statements = new Map<string, Statement>();
  /** Statements that are run, without rows. */
  readonly #runs = new Map<string, RowStatement>();

  /** @param content of an SQLite file, or null for an empty database in memory. Bad content shows only at the first query. */
  constructor(engine: SqlEngine, content: Uint8Array | PagedBytes | null) {
    this.#engine = engine;
    this.#sql = begin(engine, content);
  }

  /** Runs several statements, without caching them. */
  execute(sql: string): void {
    this.#sql.exec(sql);
  }

  run(sql: string, values: SqlValue[] = []): void {
    let statement = this.#runs.get(sql);
    if (statement === undefined) {
      statement = new RowStatement(this.#engine, this.#statement(sql), sql);
      this.#runs.set(sql, statement);
    }
    statement.run(values);
  }

  /** All rows, each converted by `read`. */
  rows<Row>(sql: string, values: SqlValue[], read: (cells: SqlValue[]) => Row): Row[] {
    const rows: Row[] = [];
    this.each(sql, values, (cells) => rows.push(read(cells)));
    return rows;
  }

  /** Visits all rows in turn. */
  each(sql: string, values: SqlValue[], visit: (cells: SqlValue[]) => void): void {
    const statement = this.#statement(sql);
    try {
      statement.bind(values);
      while (statement.step()) visit(statement.get());
    } finally {
      statement.reset();
    }
  }

  /** The number of rows changed by the last statement that changes rows. */
  get changed(): number {
    return this.#sql.getRowsModified();
  }

  first<Row>(sql: string, values: SqlValue[], read: (cells: SqlValue[]) => Row): Row | undefined {
    return this.rows(sql, values, read)[0];
  }

  /** Runs `work` as a transaction: when it throws, all its changes are rolled back. Can be nested. */
  transaction(work: () => void): void {
    this.run("SAVEPOINT work");
    try {
      work();
    } catch (error) {
      this.run("ROLLBACK TO work");
      this.run("RELEASE work");
      throw error;
    }
    this.run("RELEASE work");
  }

  columns(sql: string): string[] {
    return this.#statement(sql).getColumnNames();
  }

  /** The content of an SQLite file, copied synchronously. */
  bytes(): Uint8Array {
    return this.#sql.export();
  }

  /** Creates an empty database in memory. */
  emptyDatabase(): Database {
    return new Database(this.#engine, null);
  }

  /** Replaces the database's content. */
  replaceContent(content: PagedBytes): void {
    this.close();
    this.#sql = begin(this.#engine, content);
  }

  /** Frees its memory, including its statements'. */
  close(): void {
    this.#statements.clear();
    this.#runs.clear();
    this.#sql.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#sql.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function begin(engine: SqlEngine, content: Uint8Array | PagedBytes | null): SqlDatabase {
  const sql = new engine.Database(content);
  for (const setting of settings) sql.run(`PRAGMA ${setting}`);
  return sql;
}
