import initSqlJs, {
  type Database as SqlDatabase,
  type SqlJsStatic,
  type SqlValue,
  type Statement,
} from "sql.js";
import type { PagedBytes } from "../pages/paged-bytes.ts";

/** SQLite as WebAssembly, loaded. May hold several databases. */
export type SqlEngine = SqlJsStatic;

/** @param wasmPath the `sql-wasm.wasm` of the sql.js this was built with */
export async function loadSqlEngine(wasmPath: string): Promise<SqlEngine> {
  return initSqlJs({ locateFile: () => wasmPath });
}

/** What is collected falls on pages all over the file: with less it reads most of them again and again. KiB, negative as SQLite wants it. */
const cacheSize = -8000;
/**
 * What is durable is the journal's affair, and nobody else writes: so nothing of SQLite's own is needed for either. Pages are written when
 * a transaction is over and never before, so that undoing one never makes the file shorter (`PagedBytes`).
 */
const settings = [
  "journal_mode = MEMORY",
  "synchronous = OFF",
  "locking_mode = EXCLUSIVE",
  "cache_spill = OFF",
  `cache_size = ${cacheSize}`,
  "foreign_keys = ON",
];

/** A database. Each statement is prepared once, when it is first used. */
export class Database {
  readonly #engine: SqlEngine;
  #sql: SqlDatabase;
  readonly #statements = new Map<string, Statement>();

  /** @param content an SQLite file's, or null for an empty database in memory. Whether it is one shows when it is asked. */
  constructor(engine: SqlEngine, content: Uint8Array | PagedBytes | null) {
    this.#engine = engine;
    this.#sql = begin(engine, content);
  }

  /** Runs several statements that are needed once. */
  execute(sql: string): void {
    this.#sql.exec(sql);
  }

  run(sql: string, values: SqlValue[] = []): void {
    this.#statement(sql).run(values);
  }

  /** All rows, each as `read` makes it of its cells. */
  rows<Row>(sql: string, values: SqlValue[], read: (cells: SqlValue[]) => Row): Row[] {
    const rows: Row[] = [];
    this.each(sql, values, (cells) => rows.push(read(cells)));
    return rows;
  }

  /** Visits all rows, one after the other. */
  each(sql: string, values: SqlValue[], visit: (cells: SqlValue[]) => void): void {
    const statement = this.#statement(sql);
    try {
      statement.bind(values);
      while (statement.step()) visit(statement.get());
    } finally {
      statement.reset();
    }
  }

  /** How many rows the last statement that changes any has changed. */
  get changed(): number {
    return this.#sql.getRowsModified();
  }

  first<Row>(sql: string, values: SqlValue[], read: (cells: SqlValue[]) => Row): Row | undefined {
    return this.rows(sql, values, read)[0];
  }

  /** Runs `work` as a whole: when it throws, nothing of it happened. May be nested. */
  together(work: () => void): void {
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

  /** The content of an SQLite file: a copy, made at once. */
  bytes(): Uint8Array {
    return this.#sql.export();
  }

  /** An empty one in memory. */
  sibling(): Database {
    return new Database(this.#engine, null);
  }

  /** From now on it is a database of this content. */
  become(content: PagedBytes): void {
    this.close();
    this.#sql = begin(this.#engine, content);
  }

  /** Frees its memory, its statements' too. */
  close(): void {
    this.#statements.clear();
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
