import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import initSqlJs from "sql.js";
import type { Database as SqlDatabase, SqlJsStatic, SqlValue, Statement } from "sql.js";
import { RowStatement } from "./row-statement.ts";

/** SQLite as WebAssembly, loaded. Can hold several databases. */
export type SqlEngine = SqlJsStatic;

const unpack = promisify(brotliDecompress);

/** @param wasmPath the `sql-wasm.wasm` of the bundled sql.js version; compressed by Brotli if its name ends in `.br` */
export async function loadSqlEngine(wasmPath: string): Promise<SqlEngine> {
  if (!wasmPath.endsWith(".br")) return initSqlJs({ locateFile: () => wasmPath });
  const wasmBinary = Uint8Array.from(await unpack(await readFile(wasmPath))).buffer;
  return initSqlJs({ wasmBinary });
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

  rows<Row>(sql: string, values: SqlValue[], read: (cells: SqlValue[]) => Row): Row[] {
    const rows: Row[] = [];
    this.each(sql, values, (cells) => rows.push(read(cells)));
    return rows;
  }

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

  emptyDatabase(): Database {
    return new Database(this.#engine, null);
  }

  replaceContent(content: PagedBytes): void {
    this.close();
    this.#sql = begin(this.#engine, content);
  }

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

/** The page size of every sql.js database. Bytes. */
export const pageSize = 4096;

/** A database's content by pages, starting at 0. */
export interface Pages {
  readonly count: number;
  /** @returns a page's bytes, valid until the next call */
  read(page: number): Uint8Array;
  write(page: number, bytes: Uint8Array): void;
}

/**
 * Replaces the bytes of a database's file in sql.js, without a copy in memory. The file system of sql.js stores the
 * object that it receives as a file's content. It only calls `slice` once, when the file is created, and then `length`,
 * `subarray` and `set`. sql.js does not promise that: `paged-database.test.ts` checks it for the version we ship.
 *
 * A file must not become shorter: sql.js would then replace this object with a real array. So our databases are never
 * vacuumed in place, and SQLite must not write pages before a transaction has ended (`Database`).
 */
export class PagedBytes implements ArrayLike<number> {
  readonly [index: number]: number;
  /**
   * Bytes. Once it is a file's content, it is large enough for any write, so that sql.js creates no larger array in its
   * place.
   */
  length: number;
  readonly #pages: Pages;
  readonly #joined = new Uint8Array(64 * 1024);

  /** @param pages at least one */
  constructor(pages: Pages) {
    this.#pages = pages;
    this.length = pages.count * pageSize;
  }

  /** Makes it a file's content, without copying it. */
  slice(): this {
    this.length = Number.MAX_SAFE_INTEGER;
    return this;
  }

  /** @returns bytes that are valid until the next call */
  subarray(from: number, to: number): Uint8Array {
    const first = Math.floor(from / pageSize);
    const start = first * pageSize;
    if (to <= start + pageSize) return this.#pages.read(first).subarray(from - start, to - start);
    if (to - from > this.#joined.length) throw new Error(`SQLite asks for ${to - from} bytes at once`);
    for (let position = from; position < to;) {
      const page = Math.floor(position / pageSize);
      const part = this.#pages.read(page).subarray(position - page * pageSize, to - page * pageSize);
      this.#joined.set(part, position - from);
      position += part.length;
    }
    return this.#joined.subarray(0, to - from);
  }

  /** @param bytes whole pages, with `at` at a page's start: SQLite writes nothing else */
  set(bytes: Uint8Array, at: number): void {
    if (at % pageSize !== 0 || bytes.length % pageSize !== 0)
      throw new Error(`SQLite writes ${bytes.length} bytes at ${at}, which are not whole pages`);
    for (let done = 0; done < bytes.length; done += pageSize)
      this.#pages.write((at + done) / pageSize, bytes.subarray(done, done + pageSize));
  }
}

/** A database of these pages; without any, a database without tables. */
export function pagedDatabase(engine: SqlEngine, pages: Pages): Database {
  return new Database(engine, pagedContent(engine, pages));
}

/** Pages as the content of a database. */
export function pagedContent(engine: SqlEngine, pages: Pages): PagedBytes {
  if (pages.count === 0) pages.write(0, firstPage(engine));
  return new PagedBytes(pages);
}

/** SQLite writes the first page with the first value it has to store. */
function firstPage(engine: SqlEngine): Uint8Array {
  const db = new Database(engine, null);
  for (const version of [1, 0]) db.execute(`PRAGMA user_version = ${version}`);
  const bytes = db.bytes();
  db.close();
  return bytes;
}
