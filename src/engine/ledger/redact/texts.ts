import { parseJson } from "../../base/parse.ts";
import { scrub, scrubName } from "../../base/scrub.ts";
import { isRecord } from "../entries/plain-value.ts";
import { numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** Columns with text from transcripts, by table. Rules and memories are left alone: a person approved them word by word. */
const columnsByTable = {
  sessions: ["title"],
  positions: ["state"],
  subagents: ["description"],
  questions: ["body"],
  guard_hits: ["excerpt", "command"],
  session_states: ["details"],
  resume_packets: ["packet"],
  events: ["facts"],
  learned: ["text", "subject", "remedy", "evidence"],
  learned_marks: ["text"],
  dead_ends: ["text", "evidence"],
  compaction_diffs: ["items"],
  handovers: ["changes"],
  scorecards: ["card"],
  wakes: ["detail"],
} as const;

/** Tables with a branch name, which may be compared with a repository's branch. */
const branchTables = ["sessions", "responses", "runs", "resume_packets", "handovers"];

/** Where an earlier version may have left secrets: in the ledger and in copies of it, or only in copies. */
export type Unredacted = "ledger" | "copies";

const mark = "unredacted";
const marks: readonly Unredacted[] = ["ledger", "copies"];

/** Returns null if none were stored, or if all are removed. */
export function unredacted(db: Database): Unredacted | null {
  const held = db.first("SELECT value FROM meta WHERE key = ?", [mark], ([value]) => numberIn(value));
  return held === undefined ? null : (marks[held - 1] ?? "ledger");
}

export function setUnredacted(db: Database, where: Unredacted | null): void {
  if (where === null) db.run("DELETE FROM meta WHERE key = ?", [mark]);
  else db.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [mark, marks.indexOf(where) + 1]);
}

/**
 * Removes secrets from the texts in a ledger of any schema. The old text stays in free pages until the file is rebuilt.
 *
 * @returns the number of changed texts
 */
export function redactTexts(db: Database): number {
  let changed = 0;
  db.transaction(() => {
    for (const [table, columns] of Object.entries(columnsByTable)) {
      const held = new Set(db.rows(`PRAGMA table_info(${table})`, [], (cells) => textIn(cells[1])));
      for (const column of columns)
        if (held.has(column)) changed += redactColumn(db, table, column, redactText);
    }
    for (const table of branchTables)
      if (db.rows(`PRAGMA table_info(${table})`, [], (cells) => textIn(cells[1])).includes("branch"))
        changed += redactColumn(db, table, "branch", scrubName);
  });
  return changed;
}

function redactColumn(db: Database, table: string, column: string, redact: (text: string) => string): number {
  const changes: [string, number][] = [];
  db.each(`SELECT rowid, ${column} FROM ${table} WHERE typeof(${column}) = 'text'`, [], ([rowid, cell]) => {
    const text = textIn(cell);
    const redacted = redact(text);
    if (redacted !== text) changes.push([redacted, numberIn(rowid)]);
  });
  for (const change of changes) db.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, change);
  return changes.length;
}

/** Removes secrets from a text, or from each text in it if it is JSON. */
export function redactText(text: string): string {
  const value = /^\s*[[{]/u.test(text) ? parseJson(text) : undefined;
  if (typeof value !== "object" || value === null) return scrub(text);
  const redacted = redactValue(value);
  return redacted === value ? text : JSON.stringify(redacted);
}

/** Names of members with ids, hashes and places: some ids look like keys of services, and they join tables. */
const kept =
  /^(?:id|ids|uuid|session|identity|stamp|origin|path|cwd|folder|project)$|(?:Id|Ids|Uuid|Session|Hash|Commit)$/u;

/** Returns the same value if it holds no secret. Ids and paths stay unchanged, even in JSON inside a text. */
export function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) {
    const items = value.map(redactValue);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) =>
      [name, typeof member === "string" ? redactMember(name, member) : redactValue(member)] as const,
  );
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}

function redactMember(name: string, text: string): string {
  if (kept.test(name)) return text;
  return name === "branch" ? scrubName(text) : redactText(text);
}
