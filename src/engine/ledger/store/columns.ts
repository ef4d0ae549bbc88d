import * as z from "zod";
import * as attributed from "../entries/attributed.ts";
import * as collected from "../entries/collected.ts";
import * as measured from "../entries/measured.ts";
import * as selected from "../entries/selected.ts";
import type { RowEntry } from "../entries/entry.ts";

/**
 * How a column takes a later value: the newest that was told, the smallest, the largest, or the first for ever. Each of
 * them gives the same row when a journal is applied twice.
 */
type Merge = "least" | "most" | "frozen";

/** The table an entry's kind is a row of. A field `resultChars` is the column `result_chars`. */
interface TableSpec {
  readonly table: string;
  readonly key: readonly string[];
  /** Each with what it is where it is left out: null is not told. */
  readonly fields: ReadonlyMap<string, Cell>;
  /** Fields that do not simply take the newest value. */
  readonly merge: Readonly<Record<string, Merge>>;
}

type Cell = string | number | boolean | null;

interface EntrySchema {
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

/** What a field is that is left out; null also of one that must not be. */
function leftOut(schema: z.ZodType): Cell {
  if (!(schema instanceof z.ZodDefault)) return null;
  const value: unknown = schema.def.defaultValue;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

function tableOf(
  table: string,
  { shape }: EntrySchema,
  key: readonly string[] = ["id"],
  merge: Readonly<Record<string, Merge>> = {},
): TableSpec {
  const fields = Object.entries(shape).filter(([field]) => field !== "kind");
  return { table, key, fields: new Map(fields.map(([field, schema]) => [field, leftOut(schema)])), merge };
}

/** A row that is told once: what is told of it again changes nothing. */
function unchanging(table: string, entry: EntrySchema, key?: readonly string[]): TableSpec {
  const merge = Object.fromEntries(
    Object.keys(entry.shape).map((field): [string, Merge] => [field, "frozen"]),
  );
  return tableOf(table, entry, key, merge);
}

const specs: Readonly<Record<RowEntry["kind"], TableSpec>> = {
  session: tableOf("sessions", collected.sessionEntry, ["id"], { firstAt: "least", lastAt: "most" }),
  // A fork repeats its parent's calls and reads; whose they were is not to change with it.
  "tool-call": tableOf("tool_calls", collected.toolCallEntry, ["id"], { sessionId: "frozen" }),
  "file-read": tableOf("file_reads", collected.fileReadEntry, ["id"], { sessionId: "frozen" }),
  compaction: tableOf("compactions", collected.compactionEntry),
  run: tableOf("runs", collected.runEntry),
  "hook-event": tableOf("hook_events", collected.hookEventEntry),
  position: tableOf("positions", collected.positionEntry, ["path"]),
  subagent: tableOf("subagents", attributed.subagentEntry, ["sessionId", "agentId"]),
  "context-fill": tableOf("context_fills", attributed.contextFillEntry),
  "plan-limit": tableOf("plan_limits", attributed.planLimitEntry, ["program", "name", "at"]),
  anomaly: tableOf("anomalies", attributed.anomalyEntry, ["id"], { shownAt: "frozen" }),
  rule: tableOf("rules", selected.ruleEntry),
  baseline: tableOf(
    "baselines",
    selected.baselineEntry,
    ["agent", "taskHash", "model", "suiteHash", "driver"],
    {
      run1Tokens: "frozen",
      bestTokens: "least",
    },
  ),
  question: tableOf("questions", selected.questionEntry),
  comparison: tableOf("comparisons", selected.comparisonEntry),
  "rule-step": unchanging("rule_steps", measured.ruleStepEntry),
  receipt: unchanging("receipts", measured.receiptEntry),
  memory: unchanging("memories", measured.memoryEntry, ["agent", "version"]),
};

/** The fields an entry of a kind may have, in order, each with what it is where it is left out. */
export function fieldsOf(kind: RowEntry["kind"]): ReadonlyMap<string, Cell> {
  return specs[kind].fields;
}

/**
 * A statement that writes the told fields of one row, as its parameters. What is not told of a row that is there stays as it is.
 *
 * @param told the fields that are told; the row's key is among them
 */
export function upsertOf(kind: RowEntry["kind"], told: readonly string[]): string {
  const { table, key, merge } = specs[kind];
  const sets = told
    .filter((field) => !key.includes(field))
    .map((field) => `${column(field)} = ${merged(column(field), merge[field])}`);
  const conflict = `ON CONFLICT (${key.map(column).join(", ")})`;
  return `${insertInto(table, told)} ${conflict} DO ${sets.length === 0 ? "NOTHING" : `UPDATE SET ${sets.join(", ")}`}`;
}

/** The same of a row that is not there yet; else it does nothing. */
export function insertOf(kind: RowEntry["kind"], told: readonly string[]): string {
  return `${insertInto(specs[kind].table, told)} ON CONFLICT DO NOTHING`;
}

function insertInto(table: string, told: readonly string[]): string {
  return `INSERT INTO ${table} (${told.map(column).join(", ")}) VALUES (${told.map(() => "?").join(", ")})`;
}

function merged(name: string, how: Merge | undefined): string {
  const [told, held] = [`excluded.${name}`, name];
  switch (how) {
    case "least":
      return `min(coalesce(${held}, ${told}), coalesce(${told}, ${held}))`;
    case "most":
      return `max(coalesce(${held}, ${told}), coalesce(${told}, ${held}))`;
    case "frozen":
      return `coalesce(${held}, ${told})`;
    case undefined:
      return `coalesce(${told}, ${held})`;
  }
}

/** Quoted: `window` and `trigger` are words of SQL too. */
function column(field: string): string {
  return `"${field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/** The ledger's tables as they are exported, and the column that says when a row was. Children come before what they refer to. */
export const exportedTables = [
  { table: "responses", time: "at" },
  { table: "tool_calls", time: "at" },
  { table: "file_reads", time: "at" },
  { table: "compactions", time: "at" },
  { table: "runs", time: "ended_at" },
  { table: "hook_events", time: "at" },
  { table: "hook_sums", time: "day" },
  { table: "context_fills", time: "at" },
  { table: "plan_limits", time: "at" },
  { table: "anomalies", time: "at" },
  { table: "questions", time: "at" },
  { table: "subagents", time: null },
  { table: "sessions", time: "last_at" },
  { table: "rules", time: null },
  { table: "baselines", time: null },
  { table: "comparisons", time: "at" },
  { table: "rule_steps", time: null },
  { table: "receipts", time: null },
  { table: "memories", time: null },
] as const;

export type ExportedTable = (typeof exportedTables)[number]["table"];
