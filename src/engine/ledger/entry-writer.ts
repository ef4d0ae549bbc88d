import type { SqlValue } from "sql.js";
import { textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import type { CheckedEntry, RowEntry } from "./entry.ts";
import { writeResponse } from "./response-copies.ts";
import { SessionChanges } from "./session-changes.ts";
import { upsertOf, type Upsert } from "./tables.ts";

/** A fork repeats its parent's calls and reads, and a call is part of its response, whoever counts that. */
const shared: Partial<Readonly<Record<RowEntry["kind"], string>>> = {
  "file-read": "SELECT session_id FROM file_reads WHERE id = ?",
  "tool-call": `SELECT session_id FROM tool_calls WHERE id = ?1 UNION
    SELECT responses.session_id FROM tool_calls JOIN responses USING (message_id)
    WHERE tool_calls.id = ?1 AND is_counted = 1`,
};

/**
 * Writes entries into the tables. Writing the same entries again changes nothing. A row whose session nobody told of yet
 * makes one, to be filled in when it is told.
 */
export class EntryWriter {
  readonly #db: Database;
  readonly #upserts = new Map<RowEntry["kind"], Upsert>();
  /** For those who hold something of sessions: any row of theirs changed, or a response they count. */
  readonly changes = new SessionChanges();
  #lastSession = "";
  /** The number that the tables tell. */
  #applied = 0;

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
      // The session may have been made by what is undone, and the number told.
      this.#lastSession = "";
      this.#applied = 0;
      throw error;
    }
  }

  markApplied(applied: number): void {
    if (applied <= this.#applied) return;
    this.#db.run("UPDATE meta SET value = max(value, ?) WHERE key = 'applied'", [applied]);
    this.#applied = applied;
  }

  #writeOne(entry: CheckedEntry): void {
    if (entry.kind === "forget-positions") {
      this.#db.run("DELETE FROM positions");
      return;
    }
    if ("sessionId" in entry && entry.sessionId !== null) this.#ensureSession(entry.sessionId);
    if (entry.kind === "response") {
      for (const session of writeResponse(this.#db, entry)) this.changes.add(session);
      return;
    }
    // What was told of it before may have been of another session.
    const before = this.#sessionsOf(entry);
    this.#writeRow(entry);
    for (const session of [...before, ...this.#sessionsOf(entry)]) this.changes.add(session);
  }

  /** Whose sums and pages the row of an entry is part of, as it is held now. */
  #sessionsOf(entry: RowEntry): readonly string[] {
    const selected = shared[entry.kind];
    if (selected !== undefined && "id" in entry)
      return this.#db.rows(selected, [entry.id], ([session]) => textIn(session));
    if (entry.kind === "session") return [entry.id];
    return "sessionId" in entry && entry.kind !== "anomaly" && entry.sessionId !== null
      ? [entry.sessionId]
      : [];
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
