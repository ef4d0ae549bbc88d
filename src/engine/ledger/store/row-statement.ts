import type { SqlJsStatic, SqlValue, Statement } from "sql.js";
import * as z from "zod/mini";

function call<Call extends (...values: never[]) => unknown>() {
  return z.custom<Call>((value) => typeof value === "function");
}

/**
 * SQLite's own functions. sql.js stores them beside its classes, without promising it. In a version with other
 * functions, writing rows is only slower.
 */
const sqliteCalls = z.object({
  _malloc: call<(bytes: number) => number>(),
  writeArrayToMemory: call<(bytes: Uint8Array, at: number) => void>(),
  UTF8ToString: call<(at: number) => string>(),
  _sqlite3_sql: call<(statement: number) => number>(),
  _sqlite3_bind_text: call<BindBytes>(),
  _sqlite3_bind_blob: call<BindBytes>(),
  _sqlite3_bind_int: call<BindNumber>(),
  _sqlite3_bind_double: call<BindNumber>(),
  _sqlite3_step: call<(statement: number) => number>(),
  _sqlite3_reset: call<(statement: number) => number>(),
});
type SqliteCalls = z.infer<typeof sqliteCalls>;
type BindBytes = (statement: number, place: number, at: number, bytes: number, owner: number) => number;
type BindNumber = (statement: number, place: number, value: number) => number;

/** Memory for the texts of one row. Bytes. */
const maxBytes = 16 * 1024;
/** SQLite's result of a statement without another row. */
const done = 101;
/** SQLite copies a text. The copy stays bound when its memory is reused. */
const copied = -1;

/** The memory in which an engine's rows are assembled. */
interface RowMemory {
  readonly calls: SqliteCalls;
  /** In SQLite's memory. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

const memories = new WeakMap<SqlJsStatic, RowMemory | null>();

function memoryOf(engine: SqlJsStatic): RowMemory | null {
  let memory = memories.get(engine);
  if (memory === undefined) {
    const calls = sqliteCalls.safeParse(engine).data;
    memory =
      calls === undefined ? null : { calls, at: calls._malloc(maxBytes), bytes: new Uint8Array(maxBytes) };
    memories.set(engine, memory);
  }
  return memory;
}

/**
 * A statement that is run for many rows. It copies all texts of a row into SQLite's memory at once; sql.js allocates,
 * measures and frees each on its own, which takes a third of a row's time. Values equal to those of the previous row,
 * which are half of them, stay bound. Rows with other values than short ASCII texts, numbers and null are left to
 * sql.js, and so is the message of a failure.
 */
export class RowStatement {
  readonly #statement: Statement;
  readonly #memory: RowMemory | null;
  /** SQLite's own number of the statement. */
  readonly #pointer: number;
  /** The end of each new text in the row's memory. */
  readonly #ends: number[] = [];
  /** Bytes of all new texts. */
  #length = 0;
  /** The values of the previous row; empty when SQLite does not hold them any more. */
  #bound: SqlValue[] = [];

  constructor(engine: SqlJsStatic, statement: Statement, sql: string) {
    const memory = memoryOf(engine);
    const pointer = memory === null ? undefined : pointerOf(statement, { sql, calls: memory.calls });
    this.#statement = statement;
    this.#memory = pointer === undefined ? null : memory;
    this.#pointer = pointer ?? 0;
  }

  run(values: SqlValue[]): void {
    const memory = this.#memory;
    if (memory === null || !this.#collect(values, memory.bytes)) {
      this.#leave(values);
      return;
    }
    const { calls } = memory;
    this.#bind(values, memory);
    const result = calls._sqlite3_step(this.#pointer);
    calls._sqlite3_reset(this.#pointer);
    // Fails again, with a message.
    if (result !== done) this.#leave(values);
  }

  /** Leaves a row to sql.js, which binds all of its values and then none. */
  #leave(values: SqlValue[]): void {
    this.#bound = [];
    this.#statement.run(values);
  }

  /** Puts all new texts into the row's memory. @returns whether the row can be written from there */
  #collect(values: readonly SqlValue[], bytes: Uint8Array): boolean {
    const ends = this.#ends;
    const bound = this.#bound;
    let end = 0;
    for (let place = 0; place < values.length; place += 1) {
      const value = values[place];
      if (typeof value === "string") {
        if (value === bound[place]) continue;
        if (end + value.length > maxBytes) return false;
        for (let at = 0; at < value.length; at += 1) {
          const unit = value.charCodeAt(at);
          if (unit > 0x7f) return false;
          bytes[end + at] = unit;
        }
        end += value.length;
        ends[place] = end;
      } else if (typeof value !== "number" && value !== null) return false;
    }
    this.#length = end;
    return true;
  }

  #bind(values: SqlValue[], { calls, at, bytes }: RowMemory): void {
    const pointer = this.#pointer;
    const ends = this.#ends;
    const bound = this.#bound;
    if (this.#length > 0) calls.writeArrayToMemory(bytes.subarray(0, this.#length), at);
    let start = 0;
    for (let place = 0; place < values.length; place += 1) {
      const value = values[place];
      if (value === bound[place]) continue;
      if (typeof value === "string") {
        const end = ends[place] ?? 0;
        calls._sqlite3_bind_text(pointer, place + 1, at + start, end - start, copied);
        start = end;
      } else if (typeof value !== "number") calls._sqlite3_bind_blob(pointer, place + 1, 0, 0, copied);
      else if (value === (value | 0)) calls._sqlite3_bind_int(pointer, place + 1, value);
      else calls._sqlite3_bind_double(pointer, place + 1, value);
    }
    this.#bound = values;
  }
}

/** Finds SQLite's number of a statement among the fields of sql.js, which have minified names. */
function pointerOf(
  statement: Statement,
  { sql, calls }: { sql: string; calls: SqliteCalls },
): number | undefined {
  const fields: readonly unknown[] = Object.values(statement);
  // Another number is the index of its next parameter, which is 1 at first.
  return fields.find(
    (field): field is number =>
      typeof field === "number" && field > 1 && calls.UTF8ToString(calls._sqlite3_sql(field)) === sql,
  );
}
