import type { SqlValue } from "sql.js";
import type { Database } from "./database.ts";
import type { CheckedEntry, RowEntry } from "./entry.ts";
import { writeResponse } from "./response-copies.ts";
import { upsertOf, type Upsert } from "./tables.ts";

/**
 * Writes entries into the tables. Writing the same entries again changes nothing. A row whose session nobody told of yet
 * makes one, to be filled in when it is told.
 */
export class EntryWriter {
  readonly #db: Database;
  readonly #upserts = new Map<RowEntry["kind"], Upsert>();
  /** Sessions that changed since they were last taken, for whoever holds sums of them. */
  #changed = new Set<string>();
  #lastSession = "";

  constructor(db: Database) {
    this.#db = db;
  }

  /** Writes entries as a whole, with the number the journal has reached then. @throws when a row does not fit: a bug. */
  write(entries: readonly CheckedEntry[], applied: number): void {
    try {
      this.#db.together(() => {
        for (const entry of entries) this.#writeOne(entry);
        this.markApplied(applied);
      });
    } catch (error) {
      // The session may have been made by what is undone.
      this.#lastSession = "";
      throw error;
    }
  }

  markApplied(applied: number): void {
    this.#db.run("UPDATE meta SET value = max(value, ?) WHERE key = 'applied'", [applied]);
  }

  /** The sessions with responses that changed since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  #writeOne(entry: CheckedEntry): void {
    if (entry.kind === "forget-positions") {
      this.#db.run("DELETE FROM positions");
      return;
    }
    if ("sessionId" in entry && entry.sessionId !== null) this.#ensureSession(entry.sessionId);
    if (entry.kind === "response")
      for (const session of writeResponse(this.#db, entry)) this.#changed.add(session);
    else this.#writeRow(entry);
  }

  #writeRow(entry: RowEntry): void {
    let upsert = this.#upserts.get(entry.kind);
    if (upsert === undefined) this.#upserts.set(entry.kind, (upsert = upsertOf(entry.kind)));
    const values: Readonly<Record<string, string | number | boolean | null>> = entry;
    const cells = upsert.fields.map((field): SqlValue => {
      const value = values[field] ?? null;
      return typeof value === "boolean" ? Number(value) : value;
    });
    this.#db.run(upsert.sql, cells);
  }

  #ensureSession(id: string): void {
    if (id === this.#lastSession) return;
    this.#db.run("INSERT INTO sessions (id) VALUES (?) ON CONFLICT DO NOTHING", [id]);
    this.#lastSession = id;
  }
}
