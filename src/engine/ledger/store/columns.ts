import * as z from "zod/mini";
import * as collected from "../entries/collected.ts";
import * as continuity from "../entries/continuity-entries.ts";
import * as guard from "../entries/guard-entries.ts";
import * as machines from "../entries/machine-entries.ts";
import * as learned from "../entries/learned.ts";
import * as rules from "../entries/rule-entries.ts";
import * as woken from "../woken.ts";
import type { RowEntry } from "../entries/entries-entry.ts";

/**
 * How a column merges a later value, if it does not take the newest reported one: it keeps the smallest, the largest,
 * or the first. Each way, the newest included, applying a journal twice gives the same row.
 */
type Merge = "least" | "most" | "frozen";

/** The table that holds one kind of entry. A field `resultChars` is the column `result_chars`. */
interface TableSpec {
  readonly table: string;
  readonly key: readonly string[];
  readonly fields: readonly Field[];
  /** Fields that do not simply take the newest value. */
  readonly merge: Readonly<Record<string, Merge>>;
  /** Whether each row has a machine and a version. */
  readonly isVersioned: boolean;
}

/** The tables whose rows machines exchange. */
const versioned: ReadonlySet<string> = new Set(["sessions", "tool_calls", "subagents"]);

interface Field {
  readonly field: string;
  /** Its value when left out: null means not reported. */
  readonly leftOut: Cell;
}

type Cell = string | number | boolean | null;

interface EntrySchema {
  readonly shape: Readonly<Record<string, z.ZodMiniType>>;
}

/** A field's value when left out; null also for a required field. */
function leftOut(schema: z.ZodMiniType): Cell {
  if (!(schema instanceof z.ZodMiniDefault)) return null;
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
  return {
    table,
    key,
    fields: fields.map(([field, schema]) => ({ field, leftOut: leftOut(schema) })),
    merge,
    isVersioned: versioned.has(table),
  };
}

/** A table whose rows never change: reporting one again only adds what was not reported before. */
function unchanging(table: string, entry: EntrySchema, key?: readonly string[]): TableSpec {
  const merge = Object.fromEntries(
    Object.keys(entry.shape).map((field): [string, Merge] => [field, "frozen"]),
  );
  return tableOf(table, entry, key, merge);
}

const specs: Readonly<Record<RowEntry["kind"], TableSpec>> = {
  session: tableOf("sessions", collected.sessionEntry, ["id"], { firstAt: "least", lastAt: "most" }),
  // A fork repeats its parent's calls and reads; that must not change which session they belong to.
  "tool-call": tableOf("tool_calls", collected.toolCallEntry, ["id"], { sessionId: "frozen" }),
  "file-read": tableOf("file_reads", collected.fileReadEntry, ["id"], { sessionId: "frozen" }),
  compaction: tableOf("compactions", collected.compactionEntry),
  run: tableOf("runs", collected.runEntry),
  "hook-event": tableOf("hook_events", collected.hookEventEntry),
  position: tableOf("positions", collected.positionEntry, ["path"]),
  subagent: tableOf("subagents", collected.subagentEntry, ["sessionId", "agentId"]),
  "context-fill": tableOf("context_fills", collected.contextFillEntry),
  "plan-limit": tableOf("plan_limits", collected.planLimitEntry, ["program", "name", "at"]),
  anomaly: tableOf("anomalies", collected.anomalyEntry, ["id"], { shownAt: "frozen" }),
  rule: tableOf("rules", rules.ruleEntry),
  baseline: tableOf("baselines", rules.baselineEntry, ["agent", "taskHash", "model", "suiteHash", "driver"], {
    run1Tokens: "frozen",
    bestTokens: "least",
  }),
  question: tableOf("questions", rules.questionEntry),
  comparison: tableOf("comparisons", rules.comparisonEntry),
  "rule-step": unchanging("rule_steps", rules.ruleStepEntry),
  receipt: unchanging("receipts", rules.receiptEntry),
  memory: unchanging("memories", rules.memoryEntry, ["agent", "version"]),
  trial: unchanging("trials", rules.trialEntry),
  draw: unchanging("draws", rules.drawEntry, ["trialId", "sessionId"]),
  "guard-hit": unchanging("guard_hits", guard.guardHitEntry),
  "session-state": tableOf("session_states", continuity.sessionStateEntry, ["sessionId", "turn"]),
  "resume-packet": tableOf("resume_packets", continuity.resumePacketEntry, ["sessionId", "occasion"]),
  scorecard: tableOf("scorecards", continuity.scorecardEntry, ["sessionId"]),
  "given-packet": unchanging("given_packets", continuity.givenPacketEntry, ["sessionId"]),
  "guard-outcome": unchanging("guard_outcomes", guard.guardOutcomeEntry, ["id", "source"]),
  "guard-follow-up": unchanging("guard_follow_ups", guard.guardFollowUpEntry),
  "guard-wake": unchanging("guard_wakes", guard.guardWakeEntry),
  "compaction-diff": unchanging("compaction_diffs", continuity.compactionDiffEntry),
  "put-back": unchanging("put_backs", continuity.putBackEntry),
  // The first session that begins with a document takes it.
  handover: tableOf("handovers", continuity.handoverEntry, ["id"], {
    sessionId: "frozen",
    at: "frozen",
    toSession: "frozen",
    takenAt: "frozen",
  }),
  wake: tableOf("wakes", woken.wakeEntry),
  machine: tableOf("machines", machines.machineEntry),
  "trial-prompt": unchanging("trial_prompts", rules.trialPromptEntry, ["sessionId", "id"]),
  "learn-cursor": tableOf("learn_cursors", learned.learnCursorEntry),
  "session-facts": tableOf("events", learned.sessionFactsEntry),
  learned: tableOf("learned", learned.learnedEntry),
  "working-set": tableOf("working_set", learned.workingSetEntry),
  "dead-end": tableOf("dead_ends", learned.deadEndEntry),
  effectiveness: tableOf("effectiveness", learned.effectivenessEntry),
  "learned-mark": tableOf("learned_marks", learned.learnedMarkEntry),
  "learned-use": tableOf("learned_uses", learned.learnedUseEntry, ["id", "sessionId"]),
};

export function fieldsOf(kind: RowEntry["kind"]): readonly Field[] {
  return specs[kind].fields;
}

export function isVersioned(kind: RowEntry["kind"]): boolean {
  return specs[kind].isVersioned;
}

/**
 * An upsert statement for the given fields of one row, with those fields as its parameters, and the version as the last
 * one in a table with versions. Other fields of an existing row stay as they are. The row is this machine's from now on.
 *
 * @param fields the given fields, including the row's key
 */
export function upsertOf(kind: RowEntry["kind"], fields: readonly string[]): string {
  const { key, merge } = specs[kind];
  const sets = fields
    .filter((field) => !key.includes(field))
    .map((field) => `${column(field)} = ${merged(column(field), merge[field])}`);
  if (isVersioned(kind)) sets.push("machine = ''", "version = excluded.version");
  const conflict = `ON CONFLICT (${key.map(column).join(", ")})`;
  return `${insertInto(kind, fields)} ${conflict} DO ${sets.length === 0 ? "NOTHING" : `UPDATE SET ${sets.join(", ")}`}`;
}

/** An insert statement for a new row, which does nothing if the row exists. */
export function insertOf(kind: RowEntry["kind"], fields: readonly string[]): string {
  return `${insertInto(kind, fields)} ON CONFLICT DO NOTHING`;
}

/**
 * A statement for a whole row of another machine, with all fields as its parameters, then the version and the machine. It
 * replaces an older version, and a row of a machine with a higher id, so that the order in which machines are merged does
 * not matter; never a row of this machine.
 */
export function machineUpsertOf(kind: RowEntry["kind"]): string {
  const { table, key, fields } = specs[kind];
  const names = [...fields.map(({ field }) => field), "version", "machine"];
  const sets = names
    .filter((field) => !key.includes(field))
    .map((field) => `${column(field)} = excluded.${column(field)}`);
  return `INSERT INTO ${table} (${names.map(column).join(", ")}) VALUES (${names.map(() => "?").join(", ")})
    ON CONFLICT (${key.map(column).join(", ")}) DO UPDATE SET ${sets.join(", ")}
    WHERE ${table}.machine > excluded.machine OR (${table}.machine = excluded.machine AND ${table}.version < excluded.version)`;
}

function insertInto(kind: RowEntry["kind"], fields: readonly string[]): string {
  const names = isVersioned(kind) ? [...fields, "version"] : fields;
  return `INSERT INTO ${specs[kind].table} (${names.map(column).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
}

function merged(name: string, how: Merge | undefined): string {
  const [given, held] = [`excluded.${name}`, name];
  switch (how) {
    case "least":
      return `min(coalesce(${held}, ${given}), coalesce(${given}, ${held}))`;
    case "most":
      return `max(coalesce(${held}, ${given}), coalesce(${given}, ${held}))`;
    case "frozen":
      return `coalesce(${held}, ${given})`;
    case undefined:
      return `coalesce(${given}, ${held})`;
  }
}

/** Quoted, as `window` and `trigger` are also SQL keywords. */
function column(field: string): string {
  return `"${field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/** The exported tables, each with the column that holds a row's time. Children come before the rows they refer to. */
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
  { table: "draws", time: "at" },
  { table: "guard_hits", time: "at" },
  { table: "guard_follow_ups", time: "at" },
  { table: "guard_sums", time: "day" },
  { table: "session_states", time: "at" },
  { table: "guard_outcomes", time: "at" },
  { table: "resume_packets", time: "at" },
  { table: "scorecards", time: "at" },
  { table: "given_packets", time: "at" },
  { table: "trial_prompts", time: "at" },
  { table: "events", time: "at" },
  { table: "learned_uses", time: "at" },
  { table: "compaction_diffs", time: "at" },
  { table: "put_backs", time: "chosen_at" },
  { table: "handovers", time: "at" },
  { table: "wakes", time: "at" },
  { table: "subagents", time: null },
  { table: "sessions", time: "last_at" },
  { table: "rules", time: null },
  { table: "baselines", time: null },
  { table: "comparisons", time: "at" },
  { table: "rule_steps", time: null },
  { table: "receipts", time: null },
  { table: "memories", time: null },
  { table: "trials", time: null },
  { table: "guard_wakes", time: "at" },
  { table: "learned", time: "at" },
  { table: "learned_marks", time: "at" },
  { table: "working_set", time: "at" },
  { table: "dead_ends", time: "at" },
  { table: "effectiveness", time: null },
  { table: "machines", time: null },
  { table: "retractions", time: null },
] as const;

export type ExportedTable = (typeof exportedTables)[number]["table"];
