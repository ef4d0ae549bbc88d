import type { SqlValue } from "sql.js";
import { textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import type { CheckedEntry, RowEntry } from "./entry.ts";
import { writeResponse } from "./response-copies.ts";
import { SessionChanges } from "./session-changes.ts";
import { upsertOf, type Upsert } from "./tables.ts";

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
    this.#writeRow(entry);
    for (const session of this.#changedBy(entry)) this.changes.add(session);
  }

  #changedBy(entry: RowEntry): readonly string[] {
    if (entry.kind === "session") return [entry.id];
    if (entry.kind === "tool-call") return [entry.sessionId, ...this.#sessionsOfMessage(entry.messageId)];
    return "sessionId" in entry && entry.kind !== "anomaly" && entry.sessionId !== null
      ? [entry.sessionId]
      : [];
  }

  /** A fork repeats its parent's calls, whose responses are its parent's. */
  #sessionsOfMessage(messageId: string | null): string[] {
    if (messageId === null) return [];
    return this.#db.rows(
      "SELECT session_id FROM responses WHERE message_id = ? AND is_counted = 1",
      [messageId],
      ([session]) => textIn(session),
    );
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
