import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { isThere, statsOf } from "../../base/files.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { maybeTokens, optionalText } from "../row-values.ts";
import type { UnreadableFile } from "../usage-reader.ts";
import type { CopilotRecord } from "./read-events.ts";
import { countersOf, usageOf } from "./accounting.ts";
import { sentence, compose, plainSentence } from "../../base/language.ts";

type Sqlite = typeof import("node:sqlite");
type Store = InstanceType<Sqlite["DatabaseSync"]>;

/** Node's SQLite module; undefined when the runtime has none. It warns once that it is experimental. */
export function runtimeSqlite(): Sqlite | undefined {
  return process.getBuiltinModule("node:sqlite");
}

const anyRow = z.looseObject({ id: z.number() });

const row = z.looseObject({
  id: z.number(),
  session_id: z.string(),
  cwd: optionalText,
  model: optionalText,
  input_tokens: maybeTokens,
  output_tokens: maybeTokens,
  cache_read_tokens: maybeTokens,
  cache_write_tokens: maybeTokens,
  reasoning_tokens: maybeTokens,
  created_at: optionalText,
  agent_id: optionalText,
  initiator: optionalText,
  finish_reason: optionalText,
});

export interface StoreReading {
  readonly records: readonly CopilotRecord[];
  readonly malformed: number;
}

/**
 * Reads the responses of all sessions from Copilot's store, without ever writing to it. Returns none from a store of a
 * version that did not record them. `path` as `copilotStore` returns it.
 */
export function readStore(
  path: string,
  sqlite: Sqlite | undefined = runtimeSqlite(),
): Result<StoreReading, UnreadableFile> {
  const rows = queried(path, sqlite, (store) =>
    readRows(store, hasTable(store, "sessions") ? joined : plain),
  );
  if (!rows.ok) return rows;
  const parsed = rows.value.map((one) => row.safeParse(one));
  return succeed({
    records: parsed.flatMap((one) => (one.success ? [recordOf(one.data)] : [])),
    malformed: parsed.filter(({ success }) => !success).length,
  });
}

export interface StoredRow {
  readonly rowId: number;
  /** Null for a malformed row. */
  readonly response: StoredResponse | null;
}

/** One response in the store, with the details that only a live session needs. */
export interface StoredResponse {
  readonly record: CopilotRecord;
  readonly at: number | null;
  /** The requests of a compaction, together. */
  readonly isCompaction: boolean;
  readonly endsTurn: boolean;
}

/** Reads one session's rows after the given one, in their order. */
export function readStoreOf(
  path: string,
  { sessionId, after }: { readonly sessionId: string; readonly after: number },
  sqlite: Sqlite | undefined = runtimeSqlite(),
): Result<readonly StoredRow[], UnreadableFile> {
  const rows = queried(path, sqlite, (store) => readRows(store, ofSession, sessionId, after));
  if (!rows.ok) return rows;
  return succeed(
    rows.value.flatMap((one) => {
      const rowId = anyRow.safeParse(one).data?.id;
      return rowId === undefined ? [] : [{ rowId, response: responseOf(row.safeParse(one).data) }];
    }),
  );
}

const plain = "SELECT * FROM assistant_usage_events ORDER BY id";
const joined =
  "SELECT e.*, s.cwd FROM assistant_usage_events e LEFT JOIN sessions s ON s.id = e.session_id ORDER BY e.id";
const ofSession = "SELECT * FROM assistant_usage_events WHERE session_id = ? AND id > ? ORDER BY id";

function queried(
  path: string,
  sqlite: Sqlite | undefined,
  query: (store: Store) => unknown[],
): Result<unknown[], UnreadableFile> {
  const stats = statsOf(path);
  if (stats === undefined) return fail(isThere(path) ? "denied" : "gone", plainSentence(path));
  // SQLite would wait for the writer of a FIFO.
  if (!stats.isFile()) return fail("refused", plainSentence(path));
  if (sqlite === undefined)
    return fail("unsupported", sentence("{0}: this runtime cannot read SQLite files", path));
  try {
    const store = new sqlite.DatabaseSync(addressOf(path), { readOnly: true });
    try {
      return succeed(query(store));
    } finally {
      store.close();
    }
  } catch (error) {
    return fail("damaged", compose`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Without a write-ahead log the store is idle, and is opened as immutable: otherwise SQLite would leave its own files
 * beside it.
 */
function addressOf(path: string): string | URL {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined) return path;
  const address = pathToFileURL(path);
  address.searchParams.set("immutable", "1");
  return address;
}

function hasTable(store: Store, name: string): boolean {
  const tables = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return tables.some((table) => table["name"] === name);
}

function readRows(store: Store, query: string, ...values: readonly (string | number)[]): unknown[] {
  return hasTable(store, "assistant_usage_events") ? store.prepare(query).all(...values) : [];
}

function responseOf(stored: z.infer<typeof row> | undefined): StoredResponse | null {
  if (stored === undefined) return null;
  const record = recordOf(stored);
  return {
    record,
    at: record.at,
    isCompaction: stored.initiator === "compaction",
    endsTurn: stored.finish_reason === "stop",
  };
}

function recordOf(stored: z.infer<typeof row>): CopilotRecord {
  const raw = countersOf({
    inputTokens: stored.input_tokens,
    outputTokens: stored.output_tokens,
    cacheReadTokens: stored.cache_read_tokens,
    cacheWriteTokens: stored.cache_write_tokens,
    reasoningTokens: stored.reasoning_tokens,
  });
  return {
    agent: "copilot",
    source: "store",
    usedBy: stored.session_id,
    agentId: stored.agent_id ?? null,
    sessionId: stored.session_id,
    cwd: stored.cwd ?? null,
    model: stored.model ?? null,
    at: timeOf(stored.created_at ?? ""),
    responseId: null,
    usage: usageOf(raw),
    raw,
    window: null,
    isReplay: false,
    key: `copilot ${stored.session_id} store ${stored.id}`,
  };
}

/** SQLite's own `YYYY-MM-DD HH:MM:SS` has no time zone, and is in UTC. */
function timeOf(text: string): number | null {
  const isPlain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/u.test(text);
  const at = Date.parse(isPlain ? `${text.replace(" ", "T")}Z` : text);
  return Number.isNaN(at) ? null : at;
}
