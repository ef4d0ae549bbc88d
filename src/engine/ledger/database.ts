import initSqlJs, {
  type Database as SqlDatabase,
  type SqlJsStatic,
  type SqlValue,
  type Statement,
} from "sql.js";

/** SQLite as WebAssembly, loaded. May hold several databases. */
export type SqlEngine = SqlJsStatic;

/** @param wasmPath the `sql-wasm.wasm` of the sql.js this was built with */
export async function loadSqlEngine(wasmPath: string): Promise<SqlEngine> {
  return initSqlJs({ locateFile: () => wasmPath });
}

/** Pages are in memory already; the cache only saves copying them. KiB, negative as SQLite wants it. */
const cacheSize = -32_000;

/** A whole database in memory. Each statement is prepared once, when it is first used. */
export class Database {
  readonly #engine: SqlEngine;
  readonly #sql: SqlDatabase;
  readonly #statements = new Map<string, Statement>();

  /** @param bytes an SQLite file's content, or null for an empty database. Whether it is one shows when it is asked. */
  constructor(engine: SqlEngine, bytes: Uint8Array | null) {
    this.#engine = engine;
    this.#sql = new engine.Database(bytes);
    // What is durable is the journal's affair: the file SQLite thinks it writes is memory.
    const settings = ["journal_mode = MEMORY", "synchronous = OFF", `cache_size = ${cacheSize}`];
    for (const setting of [...settings, "foreign_keys = ON"]) this.#sql.run(`PRAGMA ${setting}`);
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
    const statement = this.#statement(sql);
    const rows: Row[] = [];
    try {
      statement.bind(values);
      while (statement.step()) rows.push(read(statement.get()));
    } finally {
      statement.reset();
    }
    return rows;
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

  /** A second database of the same content. */
  copy(): Database {
    return new Database(this.#engine, this.bytes());
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
