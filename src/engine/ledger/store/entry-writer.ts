import type { SqlValue } from "sql.js";
import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { maybeTextIn, numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";
import type { LedgerEntry, MachineRow, ResponseEntry, RowEntry } from "../entries/entries-entry.ts";
import { GuardSums } from "../sums/by-guard.ts";
import { HookSums } from "../sums/by-hook.ts";
import { fillWithoutIndexes, indexMessages } from "./message-index.ts";
import { MessageRows, recountMessages, sessionsCounting, writeResponse } from "./response-copies.ts";
import { RowWriter } from "./row-writer.ts";
import { EarlierCounts } from "./session-facts.ts";
import { SessionChanges } from "./session-changes.ts";
import { sumsOf } from "../sums/by-session.ts";

type ToolCall = Extract<RowEntry, { kind: "tool-call" }>;
type FileRead = Extract<RowEntry, { kind: "file-read" }>;

/**
 * No hook existed before: a clock with an earlier time is wrong, and the true time is unknown. Milliseconds since the
 * epoch.
 */
const firstHook = Date.UTC(2025, 0, 1);

/** By kind of entry: the tables of sums that such an entry invalidates for its session. */
const sumsByKind = new Map<string, readonly string[]>();
for (const [table, kinds] of Object.entries(sumsOf))
  for (const kind of kinds) sumsByKind.set(kind, [...(sumsByKind.get(kind) ?? []), table]);

/** The machine of a session whose own row has not come: after the id of every machine, so that any may take it. */
const nobody = "~";

/** Fewer entries than this are a transaction of their own; larger parts of one burst share a transaction. */
const burst = 1000;
/**
 * Maximum entries in such a transaction. A page that is changed repeatedly is then written once; until the transaction
 * ends, changed pages stay in SQLite's memory.
 */
const maxOpen = 8000;

/**
 * Writes entries into the tables. Writing the same entries again changes nothing. A row of an unknown session creates
 * the session, to be filled in when its own entry comes.
 */
export class EntryWriter {
  readonly #db: Database;
  readonly #rows: RowWriter;
  readonly #hooks: HookSums;
  readonly #guard: GuardSums;
  readonly #earlier: EarlierCounts;
  /** For caches of session data: collects each session with a changed row, or with a change to a response it counts. */
  readonly changes = new SessionChanges();
  /** By table: sessions whose sums are no longer valid. */
  readonly #stale = new Map(Object.keys(sumsOf).map((table) => [table, new Set<string>()]));
  #lastSession = "";
  #isLastOwn = true;
  /** The last applied number, as stored in the tables. */
  #applied = 0;
  /** The version of this machine's rows: the number of the last entry that is written with them. */
  #version = 0;
  /** Entries in the open transaction; null when none is open. */
  #open: number | null = null;
  /** The sessions that count responses of a message; only the last requested message is remembered. */
  #counting: { readonly message: string; readonly sessions: readonly string[] } | null = null;

  /**
   * The rows of messages in a ledger that is filled from the start, as a replacement for an index. Null for a ledger
   * with indexes, undefined until the first response.
   */
  #fill: MessageRows | null | undefined;

  constructor(db: Database) {
    this.#db = db;
    this.#rows = new RowWriter(db);
    this.#hooks = new HookSums(db);
    this.#guard = new GuardSums(db);
    this.#earlier = new EarlierCounts(db);
  }

  /**
   * Writes entries, all or none, with the journal number reached. They are in every answer at once, and in the pages
   * after `commit` at the latest. @throws when a row does not fit: a bug
   */
  write(entries: readonly LedgerEntry[], applied: number): void {
    if (this.#open === null) this.#db.run("BEGIN");
    this.#version = this.#rows.version = applied;
    this.#open = (this.#open ?? 0) + entries.length;
    this.#writeAll(entries, applied);
    if (entries.length < burst || this.#open >= maxOpen) this.commit();
  }

  /** Puts everything written into the pages. */
  commit(): void {
    if (this.#open === null) return;
    this.#db.run("COMMIT");
    this.#open = null;
  }

  #writeAll(entries: readonly LedgerEntry[], applied: number): void {
    try {
      this.#db.transaction(() => {
        this.#writeEach(entries);
        this.#forgetSums();
        this.markApplied(applied);
      });
    } catch (error) {
      // The rolled-back work may have created the session and stored the number.
      this.#lastSession = "";
      this.#applied = 0;
      this.#counting = null;
      this.#hooks.forget();
      this.#guard.forget();
      this.#earlier.forget();
      // The next rows reuse the numbers of the removed rows.
      this.endFill();
      throw error;
    } finally {
      for (const sessions of this.#stale.values()) sessions.clear();
    }
  }

  /** V8 compiles a method once, but compiles the loop of a function that is created per call repeatedly. */
  #writeEach(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) this.#writeOne(entry);
  }

  markApplied(applied: number): void {
    if (applied <= this.#applied) return;
    this.#db.run("UPDATE meta SET value = max(value, ?) WHERE key = 'applied'", [applied]);
    this.#applied = applied;
  }

  #writeOne(entry: LedgerEntry): void {
    if (entry.kind === "forget-positions") {
      this.#db.run("DELETE FROM positions");
      return;
    }
    if (entry.kind === "forget-responses") {
      this.#forgetResponses(entry.sessionId);
      return;
    }
    if (entry.kind === "count-anew") {
      for (const session of this.#earlier.markAll()) this.#changed(session, "session");
      return;
    }
    if (entry.kind === "sum-hooks") {
      this.#hooks.sum(entry.before);
      return;
    }
    if (entry.kind === "age-out") {
      if (entry.of === "guard")
        for (const session of this.#guard.sum(entry.before)) this.#changed(session, "guard-hit");
      else {
        const table = entry.of === "packets" ? "resume_packets" : "scorecards";
        this.#db.run(`DELETE FROM ${table} WHERE at < ?`, [entry.before]);
      }
      return;
    }
    if (entry.kind === "unlearn") {
      for (const id of idsIn(entry.ids)) this.#db.run(`DELETE FROM ${entry.table} WHERE id = ?`, [id]);
      return;
    }
    if (entry.kind === "machine-row") {
      this.#writeOfMachine(entry);
      return;
    }
    if (entry.kind === "retraction") {
      this.#retract(entry.machine, { session: entry.sessionId, before: entry.version });
      return;
    }
    if (entry.kind === "forget-machine") {
      this.#forgetMachine(entry.id);
      return;
    }
    const sessionId = "sessionId" in entry ? (entry.sessionId ?? null) : null;
    if (sessionId !== null) this.#ensureSession(sessionId);
    if (entry.kind === "response") {
      this.#readAgain(entry);
      const origin = { machine: "", version: this.#version };
      const { changed, isFirst } = writeResponse(this.#db, entry, { fill: this.#fillOf(), origin });
      this.#counting = isFirst ? { message: entry.messageId, sessions: changed } : null;
      for (const session of changed) this.#changed(session, "response");
    } else if (entry.kind === "tool-call") this.#writeCall(entry);
    else if (entry.kind === "file-read") this.#writeRead(entry);
    else {
      const isSummed =
        (entry.kind === "hook-event" && this.#hooks.has(entry.at)) ||
        (entry.kind === "guard-hit" && this.#guard.has(entry.at));
      // Its hit is only a sum.
      if (entry.kind === "guard-follow-up" && this.#guard.has(entry.at)) return;
      if (isSummed && (entry.at ?? 0) >= firstHook) return;
      this.#rows.write(isSummed ? { ...entry, at: null } : entry);
      if (entry.kind === "session") this.#changed(entry.id, "session");
      else if (sessionId !== null) this.#changed(sessionId, entry.kind);
    }
  }

  /** A copy is not evidence about its session's own transcript. */
  #readAgain({ sessionId, isCopy = false }: ResponseEntry): void {
    const isReplaced = isCopy ? null : this.#earlier.readAgain(sessionId);
    if (isReplaced === null) return;
    if (isReplaced) this.#forgetResponses(sessionId);
    this.#changed(sessionId, "session");
  }

  #forgetResponses(session: string): void {
    this.#retract("", { session, before: this.#version });
  }

  /** Deletes a machine's responses of a session that are older than a version, and those that come later. */
  #retract(machine: string, { session, before }: { session: string; before: number }): void {
    this.endFill();
    this.#db.run(
      `INSERT INTO retractions VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET version = max(version, excluded.version)`,
      [machine, session, before],
    );
    // This machine's rows from before it had versions, and of the same burst, have none that is lower.
    const isOlder = machine === "" ? "1" : `version < ${before}`;
    this.#deleteResponses(`machine = ?1 AND session_id = ?2 AND ${isOlder}`, [machine, session]);
  }

  /** Later rows reuse the numbers of the deleted rows, so that no row may be found by its number any more. */
  #deleteResponses(where: string, values: string[]): void {
    const select = `SELECT message_id, session_id FROM responses WHERE ${where}`;
    const gone = this.#db.rows(select, values, ([message, session]) => ({
      message: textIn(message),
      session: textIn(session),
    }));
    if (gone.length === 0) return;
    this.#db.run(`DELETE FROM responses WHERE ${where}`, values);
    this.#counting = null;
    const sessions = new Set(gone.map(({ session }) => session));
    const messages = new Set(gone.map(({ message }) => message));
    for (const session of recountMessages(messages, { db: this.#db, fill: null })) sessions.add(session);
    for (const session of sessions) this.#changed(session, "response");
  }

  #writeOfMachine({ machine, version, row }: MachineRow): void {
    if (this.#fill !== null) {
      this.endFill();
      this.#fill = null;
    }
    const session = row.kind === "session" ? row.id : row.sessionId;
    if (row.kind !== "session") this.#ensureSession(session, machine);
    if (row.kind !== "response") {
      if (this.#rows.writeOfMachine(row, { machine, version })) this.#changed(session, row.kind);
      return;
    }
    const select = "SELECT version FROM retractions WHERE machine = ? AND session_id = ?";
    const retracted = this.#db.first(select, [machine, session], ([before]) => numberIn(before));
    if (retracted !== undefined && version < retracted) return;
    const { changed } = writeResponse(this.#db, row, { origin: { machine, version } });
    this.#counting = null;
    for (const each of changed) this.#changed(each, "response");
  }

  /** Its sessions stay as ids, without any facts: other rows may refer to them. */
  #forgetMachine(machine: string): void {
    if (machine === "") return;
    this.endFill();
    this.#deleteResponses("machine = ?1", [machine]);
    this.#db.run("DELETE FROM retractions WHERE machine = ?", [machine]);
    for (const [table, kind] of [
      ["tool_calls", "tool-call"],
      ["subagents", "subagent"],
    ] as const) {
      for (const session of this.#sessionsIn(table, machine)) this.#changed(session, kind);
      this.#db.run(`DELETE FROM ${table} WHERE machine = ?`, [machine]);
    }
    for (const session of this.#sessionsIn("sessions", machine)) this.#changed(session, "session");
    this.#db.run(
      `UPDATE sessions SET program = NULL, cwd = NULL, branch = NULL, title = NULL, first_at = NULL, last_at = NULL,
         parent_id = NULL, official_usd = NULL, machine = '${nobody}', version = -1 WHERE machine = ?`,
      [machine],
    );
    this.#db.run("DELETE FROM machines WHERE id = ?", [machine]);
    this.#lastSession = "";
  }

  #sessionsIn(table: "sessions" | "tool_calls" | "subagents", machine: string): string[] {
    const column = table === "sessions" ? "id" : "session_id";
    const select = `SELECT DISTINCT ${column} FROM ${table} WHERE machine = ?`;
    return this.#db.rows(select, [machine], ([id]) => textIn(id));
  }

  /** Begins at the first response of a ledger without any rows. */
  #fillOf(): MessageRows | null {
    if (this.#fill === undefined) this.#fill = fillWithoutIndexes(this.#db) ? new MessageRows() : null;
    if (this.#fill?.isFull === true) this.endFill();
    return this.#fill;
  }

  /**
   * Creates the indexes that were left out while filling; later rows update them.
   * @param tidy see {@link indexMessages}
   */
  endFill(tidy?: () => void): void {
    if (this.#fill !== undefined) this.#fill = null;
    indexMessages(this.#db, tidy);
  }

  /** A fork repeats its parent's calls, and a call belongs to its response, whichever session counts that. */
  #writeCall(entry: ToolCall): void {
    const select = "SELECT session_id, message_id FROM tool_calls WHERE id = ?";
    const read = ([session, message]: SqlValue[]) => ({
      session: textIn(session),
      message: maybeTextIn(message),
    });
    const held = this.#rows.writeNew(entry) ? undefined : this.#db.first(select, [entry.id], read);
    if (held === undefined) {
      this.#changed(entry.sessionId, "tool-call");
      if (entry.messageId === null || entry.messageId === undefined) return;
      for (const session of this.#countingSessions(entry.messageId))
        if (session !== entry.sessionId) this.#changed(session, "tool-call");
      return;
    }
    this.#rows.write(entry);
    const messages = new Set([held.message, entry.messageId ?? null]);
    const sessions = new Set([held.session, entry.sessionId]);
    for (const message of messages)
      if (message !== null) for (const session of this.#countingSessions(message)) sessions.add(session);
    for (const session of sessions) this.#changed(session, "tool-call");
  }

  /** A fork repeats its parent's reads. */
  #writeRead(entry: FileRead): void {
    const held = this.#rows.writeNew(entry)
      ? undefined
      : this.#db.first("SELECT session_id FROM file_reads WHERE id = ?", [entry.id], ([id]) => textIn(id));
    if (held !== undefined) this.#rows.write(entry);
    this.#changed(held ?? entry.sessionId, "file-read");
  }

  #countingSessions(message: string): readonly string[] {
    if (this.#counting?.message !== message) {
      const responses = { db: this.#db, fill: this.#fill ?? null };
      this.#counting = { message, sessions: sessionsCounting(message, responses) };
    }
    return this.#counting.sessions;
  }

  #changed(session: string, kind: LedgerEntry["kind"]): void {
    this.changes.add(session, kind);
    for (const table of sumsByKind.get(kind) ?? []) this.#stale.get(table)?.add(session);
  }

  #forgetSums(): void {
    for (const [table, sessions] of this.#stale)
      for (const session of sessions) this.#db.run(`DELETE FROM ${table} WHERE session_id = ?`, [session]);
  }

  /** A session that another machine named first becomes this machine's with its first row from here. */
  #ensureSession(id: string, machine = ""): void {
    const isOwn = machine === "";
    if (id === this.#lastSession && isOwn === this.#isLastOwn) return;
    const mine = "UPDATE SET machine = '', version = excluded.version WHERE machine <> ''";
    this.#db.run(
      `INSERT INTO sessions (id, machine, version) VALUES (?, ?, ?) ON CONFLICT DO ${isOwn ? mine : "NOTHING"}`,
      isOwn ? [id, "", this.#version] : [id, nobody, -1],
    );
    if (this.#db.changed > 0) this.#changed(id, "session");
    this.#lastSession = id;
    this.#isLastOwn = isOwn;
  }
}

const ids = z.array(z.string());

function idsIn(text: string | null | undefined): readonly string[] {
  return readJson(ids, text) ?? [];
}
