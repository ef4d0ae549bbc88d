import { claudeEntries } from "../../../../../src/engine/ledger/collect/claude/claude-entries.ts";
import type { EntryFile } from "../../../../../src/engine/ledger/collect/collect-source.ts";
import { ledgerEntry, type CheckedEntry } from "../../../../../src/engine/ledger/entries/entries-entry.ts";
import { type ApiResponse, ResponseSet } from "../../../../../src/engine/usage/api-response.ts";
import type { Row } from "../../../sessions/support/rows.ts";

/** Rows of a file, or arbitrary lines. */
export type Line = string | Uint8Array | Row;

export const sessionId = "5e55104a-0000-4000-8000-000000000001";
export const mainFile: EntryFile = { path: `/nowhere/${sessionId}.jsonl`, sessionId, agentId: null };

/**
 * All entries read from lines, checked as the ledger checks them.
 * @param cuts line counts after which the reader is recreated from its state
 */
export function entriesOf(
  lines: readonly Line[],
  file: EntryFile = mainFile,
  cuts: ReadonlySet<number> = new Set(),
): CheckedEntry[] {
  let reader = claudeEntries(file, null);
  const reported: CheckedEntry[] = [];
  const take = () => {
    for (const entry of reader.take()) reported.push(ledgerEntry.parse(entry));
  };
  for (const [number, line] of lines.entries()) {
    reader.line(bytesOf(line));
    if (!cuts.has(number)) continue;
    take();
    const state = reader.state();
    if (state.length >= 100_000) throw new Error(`the state has ${state.length} characters`);
    reader = claudeEntries(file, state);
  }
  take();
  return reported;
}

function bytesOf(line: Line): Buffer {
  if (line instanceof Uint8Array) return Buffer.from(line);
  return Buffer.from(typeof line === "string" ? line : JSON.stringify(line));
}

/** Entries of one kind merged by id as the ledger stores them: later values win, null changes nothing. */
export function rowsOf(
  entries: readonly CheckedEntry[],
  kind: CheckedEntry["kind"],
): Record<string, unknown>[] {
  const rows = new Map<string, Record<string, unknown>>();
  for (const entry of entries) {
    if (entry.kind !== kind || entry.kind === "response") continue;
    const key = keyOf(entry);
    const row = rows.get(key) ?? {};
    for (const [name, value] of Object.entries(entry)) row[name] = merged(name, row[name], value);
    rows.set(key, row);
  }
  return [...rows.values()];
}

function keyOf(entry: CheckedEntry): string {
  if (entry.kind === "subagent") return `${entry.sessionId} ${entry.agentId}`;
  return "id" in entry ? entry.id : "";
}

function merged(name: string, held: unknown, reported: unknown): unknown {
  if (reported === null || reported === undefined) return held ?? null;
  if (typeof held !== "number" || typeof reported !== "number") return reported;
  if (name === "firstAt") return Math.min(held, reported);
  return name === "lastAt" ? Math.max(held, reported) : reported;
}

/** Each response once. */
export function countedOf(entries: readonly CheckedEntry[]): ApiResponse[] {
  const set = new ResponseSet<ApiResponse>();
  for (const entry of entries) if (entry.kind === "response") set.add(entry);
  return [...set.responses()];
}

/** Everything the ledger would store for entries, in canonical order. */
export function held(entries: readonly CheckedEntry[]): unknown {
  const kinds = [
    "session",
    "tool-call",
    "file-read",
    "compaction",
    "run",
    "subagent",
    "context-fill",
  ] as const;
  const byKind = kinds.map((kind) =>
    rowsOf(entries, kind).map((row) => JSON.stringify(row, Object.keys(row).sort())),
  );
  const responses = countedOf(entries).map(({ messageId, requestId, usage, at }) =>
    JSON.stringify([messageId, requestId, usage, at]),
  );
  return [...byKind, responses].map((rows) => rows.sort());
}
