import { setImmediate as nextTurn } from "node:timers/promises";
import type { SqlValue } from "sql.js";
import { maybeTextIn, numberIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { usageColumns, usageIn } from "../store/counted-row.ts";
import { parseJson } from "../../base/parse.ts";
import { appliedIn } from "../store/snapshots.ts";
import { cursorIn, textOfCursor, type Cursor } from "./cursor.ts";
import { sharedFormat, type SharedHeader } from "./shared-lines.ts";

/** What leaves the machine: names, sizes and counts; titles and paths only if they are asked for. */
export interface SharedOptions {
  /** See `cursor.ts`. Null for all rows. */
  readonly cursor: string | null;
  readonly withTitles: boolean;
  readonly withPaths: boolean;
  /** Up to when the transcripts were read. Milliseconds since the epoch; null if that is unknown. */
  readonly asOf: number | null;
}

export interface SharedPorts {
  readonly machine: { readonly id: string; readonly label: string };
  /** Changed when the ledger is restored from a backup, see `ledgerName`. */
  readonly restored: string;
  /** The name of a folder's project on all machines. */
  readonly sharedNameOf: (folder: string) => string;
  readonly now: number;
}

/** Rows read at once; a cursor follows each of these pages. */
const page = 500;

interface Table {
  readonly select: string;
  /** @returns the line's members besides its version */
  readonly read: (cells: readonly SqlValue[]) => Readonly<Record<string, unknown>>;
}

const responseNames =
  "messageId requestId sessionId agentId model at branch isSidechain isCopy priceTerms lastContext lastOutput".split(
    " ",
  );
const callNames =
  "id sessionId agentId messageId at tool server skill inputChars resultChars durationMs isError".split(" ");

/** @param fields with the columns of the same names */
function columnsOf(fields: readonly string[]): string {
  return fields
    .map((field) => field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`))
    .join(", ");
}

function fieldsIn(fields: readonly string[], cells: readonly SqlValue[]): Record<string, SqlValue> {
  return Object.fromEntries(
    fields.flatMap((field, at) => (cells[at] === null ? [] : [[field, cells[at] ?? null]])),
  );
}

function withFlags(row: Record<string, unknown>, flags: readonly string[]): Record<string, unknown> {
  for (const flag of flags) if (flag in row) row[flag] = row[flag] === 1;
  return row;
}

/** In the order of an export. The number of a table is part of a cursor: a new one comes last. */
function tablesOf(options: SharedOptions, nameOf: (cwd: string | null) => string | null): readonly Table[] {
  const session = ["id", "program", "branch", "firstAt", "lastAt", "parentId", "officialUsd"];
  const subagent = ["sessionId", "agentId", "type"];
  const maybe = (is: boolean, field: string) => (is ? [field] : []);
  const sessionFields = [...session, ...maybe(options.withTitles, "title")];
  const subagentFields = [...subagent, ...maybe(options.withTitles, "description")];
  return [
    {
      select: "SELECT rowid, version, session_id FROM retractions",
      read: ([retracted]) => ({ retracted }),
    },
    {
      select: `SELECT rowid, version, cwd, ${columnsOf(sessionFields)} FROM sessions`,
      read: ([cwd, ...cells]) => ({
        row: { kind: "session", ...fieldsIn(sessionFields, cells), cwd: nameOf(maybeTextIn(cwd)) },
      }),
    },
    {
      select: `SELECT rowid, version, ${columnsOf(subagentFields)} FROM subagents`,
      read: (cells) => ({ row: { kind: "subagent", ...fieldsIn(subagentFields, cells) } }),
    },
    {
      select: `SELECT rowid, version, ${columnsOf(callNames)} FROM tool_calls`,
      read: (cells) => ({
        row: { kind: "tool-call", ...withFlags(fieldsIn(callNames, cells), ["isError"]) },
      }),
    },
    {
      select: `SELECT rowid, version, cwd, raw, ${usageColumns}, ${columnsOf(responseNames)} FROM responses`,
      read: ([cwd, raw, ...cells]) => ({
        row: {
          kind: "response",
          ...withFlags(fieldsIn(responseNames, cells.slice(5)), ["isSidechain", "isCopy"]),
          cwd: nameOf(maybeTextIn(cwd)),
          usage: usageIn(cells, 0),
          ...(raw === null ? {} : { raw: parseJson(maybeTextIn(raw) ?? "") }),
        },
      }),
    },
  ];
}

/** Names the ledger: it is another one once it was made anew, or restored. */
function ledgerName(db: Database, restored: string): string {
  const made = db.first("SELECT value FROM meta WHERE key = 'ledger'", [], ([value]) => numberIn(value)) ?? 0;
  return `${made.toString(36)}${restored}`;
}

/**
 * This machine's own rows that are newer than a cursor, as lines of JSON for another of the user's machines. Rows of other
 * machines are never passed on. A cursor of another ledger gives all rows.
 */
export async function* exportRows(
  db: Database,
  options: SharedOptions,
  ports: SharedPorts,
): AsyncGenerator<Uint8Array> {
  const ledger = ledgerName(db, ports.restored);
  const asked = options.cursor === null ? undefined : cursorIn(options.cursor);
  const from: Cursor =
    asked?.ledger === ledger && asked.version <= appliedIn(db) ? asked : { ledger, version: -1, part: null };
  const until = from.part?.until ?? appliedIn(db);
  const { id, label } = ports.machine;
  const header: SharedHeader = {
    purser: "machine",
    format: sharedFormat,
    id,
    label,
    since: from === asked ? options.cursor : null,
    now: ports.now,
    asOf: options.asOf,
  };
  yield lineOf(header);
  let rows = 0;
  const names = new Map<string, string>();
  const nameOf = (cwd: string | null) => (cwd === null ? null : known(names, cwd, () => projectNameOf(cwd)));
  const projectNameOf = (cwd: string) => {
    const name = ports.sharedNameOf(cwd);
    return options.withPaths ? `${label}:${cwd}#${name.slice(name.lastIndexOf("#") + 1)}` : name;
  };
  const tables = tablesOf(options, nameOf);
  for (const [index, { select, read }] of tables.entries()) {
    if (index < (from.part?.table ?? 0)) continue;
    let after = index === from.part?.table ? from.part.row : 0;
    for (;;) {
      const where = "machine = '' AND version > ?1 AND version <= ?2 AND rowid > ?3";
      const found = db.rows(
        `${select} WHERE ${where} ORDER BY rowid LIMIT ${page}`,
        [from.version, until, after],
        (cells) => cells,
      );
      const lines = found.map(([, version, ...cells]) => ({ version: numberIn(version), ...read(cells) }));
      const last = found.at(-1);
      if (last === undefined) break;
      rows += lines.length;
      after = numberIn(last[0]);
      const cursor = textOfCursor({ ...from, part: { until, table: index, row: after } });
      yield lineOf(...lines, { cursor });
      await nextTurn();
    }
  }
  yield lineOf({ end: { cursor: textOfCursor({ ledger, version: until, part: null }), rows } });
}

function lineOf(...values: readonly object[]): Uint8Array {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}

function known(names: Map<string, string>, key: string, make: () => string): string {
  const name = names.get(key) ?? make();
  names.set(key, name);
  return name;
}
