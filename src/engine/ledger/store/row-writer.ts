import type { SqlValue } from "sql.js";
import type { Database } from "./database.ts";
import type { RowEntry } from "../entries/entries-entry.ts";
import { fieldsOf, insertOf, isVersioned, machineUpsertOf, upsertOf } from "./columns.ts";

interface Statements {
  readonly insert: string;
  readonly upsert: string;
}

/**
 * Writes entries that are one row each. A statement contains only the entry's given fields, since most fields of a row
 * are missing.
 */
export class RowWriter {
  readonly #db: Database;
  /** By kind, then by a bit mask of the given fields. */
  readonly #statements = new Map<RowEntry["kind"], Map<number, Statements>>();
  #cells: SqlValue[] = [];
  /** The version of the rows that are written. */
  version = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  write(entry: RowEntry): void {
    const { upsert } = this.#statementsOf(entry);
    this.#db.run(upsert, this.#cells);
  }

  /** Writes a row unless one with its key exists. @returns whether it did */
  writeNew(entry: RowEntry): boolean {
    const { insert } = this.#statementsOf(entry);
    this.#db.run(insert, this.#cells);
    return this.#db.changed > 0;
  }

  /** Writes a row of another machine, if it is newer. @returns whether it was */
  writeOfMachine(entry: RowEntry, { machine, version }: { machine: string; version: number }): boolean {
    const values: Readonly<Record<string, string | number | boolean | null | undefined>> = entry;
    const cells = fieldsOf(entry.kind).map(({ field, leftOut }) => {
      const value = values[field] ?? leftOut;
      return typeof value === "boolean" ? Number(value) : value;
    });
    this.#db.run(machineUpsertOf(entry.kind), [...cells, version, machine]);
    return this.#db.changed > 0;
  }

  /** Also collects the cells. */
  #statementsOf(entry: RowEntry): Statements {
    const values: Readonly<Record<string, string | number | boolean | null | undefined>> = entry;
    const fields = fieldsOf(entry.kind);
    const cells: SqlValue[] = [];
    let mask = 0;
    let bit = 1;
    for (const { field, leftOut } of fields) {
      const value = values[field] ?? leftOut;
      if (value !== null) {
        cells.push(typeof value === "boolean" ? Number(value) : value);
        mask += bit;
      }
      bit *= 2;
    }
    if (isVersioned(entry.kind)) cells.push(this.version);
    this.#cells = cells;
    let ofKind = this.#statements.get(entry.kind);
    if (ofKind === undefined) this.#statements.set(entry.kind, (ofKind = new Map<number, Statements>()));
    let statements = ofKind.get(mask);
    if (statements === undefined) {
      const names = fields.flatMap(({ field, leftOut }) =>
        (values[field] ?? leftOut) === null ? [] : [field],
      );
      statements = { insert: insertOf(entry.kind, names), upsert: upsertOf(entry.kind, names) };
      ofKind.set(mask, statements);
    }
    return statements;
  }
}
