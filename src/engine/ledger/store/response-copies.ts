import type { SqlValue } from "sql.js";
import { type ApiResponse, ResponseSet } from "../../usage/api-response.ts";
import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "./cell.ts";
import { detailColumns, detailsIn, usageColumns, usageIn } from "./counted-row.ts";
import type { Database } from "./database.ts";
import type { ResponseEntry } from "../entries/entries-entry.ts";

/** Initial number of slots; a power of two. */
const initialSlots = 1 << 16;
/** Maximum rows. With more, an index of the table takes less memory. */
const maxRows = 400_000;

/**
 * Finds the rows of responses by message while a ledger is filled from the start, as a replacement for an index. Rows
 * have the numbers in which they were added, starting at 1. It remembers hashes only: a found row may belong to another
 * message.
 */
export class MessageRows {
  /** By slot: a message's hash, and its row; 0 marks a free slot. */
  #hashes = new Int32Array(initialSlots);
  #rows = new Int32Array(initialSlots);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= maxRows;
  }

  add(message: string): void {
    this.#count += 1;
    if (2 * this.#count > this.#rows.length) this.#grow();
    this.#put(hashOf(message), this.#count);
  }

  /** The rows of a message, possibly with others, ascending. */
  of(message: string): number[] {
    const hash = hashOf(message);
    const found: number[] = [];
    const last = this.#rows.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const row = this.#rows[slot] ?? 0;
      if (row === 0) return found.sort((one, other) => one - other);
      if (this.#hashes[slot] === hash) found.push(row);
    }
  }

  #put(hash: number, row: number): void {
    const last = this.#rows.length - 1;
    let slot = hash & last;
    while (this.#rows[slot] !== 0) slot = (slot + 1) & last;
    this.#hashes[slot] = hash;
    this.#rows[slot] = row;
  }

  #grow(): void {
    const [hashes, rows] = [this.#hashes, this.#rows];
    this.#hashes = new Int32Array(2 * hashes.length);
    this.#rows = new Int32Array(2 * rows.length);
    for (let slot = 0; slot < rows.length; slot += 1)
      if (rows[slot] !== 0) this.#put(hashes[slot] ?? 0, rows[slot] ?? 0);
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}

/** A stored copy, or the new one. */
interface Copy extends ApiResponse {
  /** Null for the new copy. */
  readonly row: number | null;
  readonly isCopy: boolean;
  readonly isCounted: boolean;
  /** Empty for this machine. */
  readonly machine: string;
  readonly version: number;
}

/** The machine that a copy is from, and its version there. */
export interface CopyOrigin {
  /** Empty for this machine. */
  readonly machine: string;
  readonly version: number;
}

const select = `SELECT rowid, request_id, session_id, model, at, cwd, is_sidechain, is_copy, is_counted,
  ${usageColumns}, ${detailColumns}, machine, version FROM responses WHERE message_id = ?`;
const selectRow = `${select} AND rowid = ?`;

const columns = [
  "message_id",
  "request_id",
  "session_id",
  "agent_id",
  "model",
  "at",
  "cwd",
  "branch",
  "is_sidechain",
  "is_copy",
  "input",
  "output",
  "cache_creation_5m",
  "cache_creation_1h",
  "cache_read",
  "raw",
  "price_terms",
  "last_context",
  "last_output",
  "machine",
  "version",
];
const insert = `INSERT INTO responses (${columns.join(", ")}, is_counted)
  VALUES (${columns.map(() => "?").join(", ")}, 1)`;
const update = `UPDATE responses SET ${columns.map((name) => `${name} = ?`).join(", ")} WHERE rowid = ?`;
const recount = "UPDATE responses SET is_counted = ? WHERE rowid = ?";

interface WrittenResponse {
  /** The sessions whose sums changed. */
  readonly changed: readonly string[];
  /** Whether it is the only copy of its message. */
  readonly isFirst: boolean;
}

/**
 * Writes one copy of a response, and updates which copies of its message are counted, by the rules of `ResponseSet`.
 * The order and number of copies do not matter.
 *
 * @param fill the rows of all messages, if the ledger is filled without an index of them
 */
export function writeResponse(
  db: Database,
  entry: ResponseEntry,
  { fill = null, origin }: { readonly fill?: MessageRows | null; readonly origin: CopyOrigin },
): WrittenResponse {
  // A query first: an insert that looks for copies itself goes through a temporary table, which takes longer.
  const held = copiesOf(entry.messageId, { db, fill });
  const written = { entry, origin };
  if (held.length > 0) return { changed: writeCopy(written, held, { db, fill }), isFirst: false };
  insertCopy(written, { db, fill });
  return { changed: [entry.sessionId], isFirst: true };
}

/** The sessions that count responses of a message. */
export function sessionsCounting(message: string, responses: Responses): string[] {
  const copies = copiesOf(message, responses);
  return copies.flatMap(({ sessionId, isCounted }) => (isCounted ? [sessionId] : []));
}

interface Responses {
  readonly db: Database;
  readonly fill: MessageRows | null;
}

function copiesOf(message: string, { db, fill }: Responses): Copy[] {
  const read = (cells: SqlValue[]) => copyIn(message, cells);
  if (fill === null) return db.rows(select, [message], read);
  const rows = fill.of(message);
  return rows.length === 0 ? [] : rows.flatMap((row) => db.rows(selectRow, [message, row], read));
}

interface Written {
  readonly entry: ResponseEntry;
  readonly origin: CopyOrigin;
}

function insertCopy({ entry, origin }: Written, { db, fill }: Responses): void {
  db.run(insert, cellsOf(entry, origin));
  fill?.add(entry.messageId);
}

/** This machine's copies are merged by what they count, since an agent may repeat an older one; another's by version. */
function writeCopy({ entry, origin }: Written, held: readonly Copy[], responses: Responses): string[] {
  const { requestId = null, at = null, cwd = null, isCopy = false } = entry;
  const details = detailsIn(
    [entry.priceTerms ?? null, entry.lastContext ?? null, entry.lastOutput ?? null],
    0,
  );
  const candidate: Copy = {
    ...entry,
    ...details,
    ...origin,
    requestId,
    at,
    cwd,
    isCopy,
    row: null,
    isCounted: false,
  };
  const same = held.find(
    (copy) =>
      copy.requestId === candidate.requestId &&
      copy.isSidechain === candidate.isSidechain &&
      copy.machine === candidate.machine,
  );
  if (same !== undefined && !replaces(candidate, same)) return [];
  if (same === undefined) insertCopy({ entry, origin }, responses);
  else responses.db.run(update, [...cellsOf(entry, origin), same.row]);
  return [entry.sessionId, ...recountAll(entry.messageId, held, responses)];
}

function replaces(candidate: Copy, same: Copy): boolean {
  if (candidate.machine !== "") return candidate.version > same.version;
  return counted([same, candidate]).has(candidate);
}

/** Counts the copies of messages again, after some copies were deleted. @returns the sessions that count one now */
export function recountMessages(messages: Iterable<string>, responses: Responses): string[] {
  return [...messages].flatMap((message) => recountAll(message, [], responses));
}

function recountAll(messageId: string, before: readonly Copy[], responses: Responses): string[] {
  const copies = copiesOf(messageId, responses);
  const kept = counted(copies);
  for (const copy of copies)
    if (kept.has(copy) !== copy.isCounted) responses.db.run(recount, [Number(kept.has(copy)), copy.row]);
  return [...before, ...copies].map(({ sessionId }) => sessionId);
}

/**
 * Of otherwise equal copies, the original is preferred to a fork's copy, then this machine's, then the copy with the
 * lowest machine and session id.
 */
function counted(copies: readonly Copy[]): ReadonlySet<Copy> {
  const set = new ResponseSet<Copy>();
  const inOrder = copies.toSorted(
    (one, other) =>
      Number(one.isCopy) - Number(other.isCopy) ||
      compare(one.machine, other.machine) ||
      compare(one.sessionId, other.sessionId) ||
      // A stored copy wins over an identical new one.
      Number(one.row === null) - Number(other.row === null),
  );
  for (const copy of inOrder) set.add(copy);
  return new Set(set.responses());
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function copyIn(messageId: string, cells: readonly SqlValue[]): Copy {
  return {
    messageId,
    row: numberIn(cells[0]),
    requestId: maybeTextIn(cells[1]),
    sessionId: textIn(cells[2]),
    model: textIn(cells[3]),
    at: maybeNumberIn(cells[4]),
    cwd: maybeTextIn(cells[5]),
    isSidechain: flagIn(cells[6]),
    isCopy: flagIn(cells[7]),
    isCounted: flagIn(cells[8]),
    usage: usageIn(cells, 9),
    ...detailsIn(cells, 14),
    machine: textIn(cells[17]),
    version: numberIn(cells[18]),
  };
}

function cellsOf(entry: ResponseEntry, { machine, version }: CopyOrigin): SqlValue[] {
  const { usage, raw = null } = entry;
  return [
    entry.messageId,
    entry.requestId ?? null,
    entry.sessionId,
    entry.agentId ?? null,
    entry.model,
    entry.at ?? null,
    entry.cwd ?? null,
    entry.branch ?? null,
    Number(entry.isSidechain),
    Number(entry.isCopy ?? false),
    usage.input,
    usage.output,
    usage.cacheCreation5m,
    usage.cacheCreation1h,
    usage.cacheRead,
    raw === null ? null : JSON.stringify(raw),
    entry.priceTerms ?? null,
    entry.lastContext ?? null,
    entry.lastOutput ?? null,
    machine,
    version,
  ];
}
