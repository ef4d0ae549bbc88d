import type { Figure, Provenance } from "../usage/provenance.ts";
import type { UsageRecord } from "../usage/agent-record.ts";
import type { AgentActivity } from "./agent-activity.ts";
import { LineSplitter } from "./line-splitter.ts";
import { areWholeRecords, readRecords } from "./records/recovered.ts";

/** How much of a plan is used, as the API reported it to the agent. */
export interface RateLimit {
  /** The agent's own name for it, such as `codex primary`. */
  readonly name: string;
  /** 0 to 100. */
  readonly usedPercent: number;
  /** The period the limit covers, or null. Minutes. */
  readonly windowMinutes: number | null;
  /** Milliseconds since the epoch, or null. */
  readonly resetsAt: number | null;
  /** When it was reported. Milliseconds since the epoch, or null. */
  readonly at: number | null;
  readonly provenance: Extract<Provenance, "official">;
}

/** Facts about a session, read from its file. Anything the file does not contain is null or unknown. */
interface SessionFacts {
  /** The name of its adapter, such as "codex". */
  readonly agent: string;
  /** Empty when neither the file's content nor its name contains it. */
  readonly sessionId: string;
  readonly parentId: string | null;
  /** Relation to the parent session. */
  readonly kind: "main" | "fork" | "subagent";
  /** The subagent's type, if it is a subagent and its file names the type. */
  readonly agentType: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly title: string | null;
  readonly agentVersion: string | null;
  readonly model: string | null;
  /** Time of the last line with a timestamp. Milliseconds since the epoch, or null. */
  readonly lastAt: number | null;
  /** Size of the context window. Tokens. */
  readonly window: Figure;
  /** Percent of the context left, as the agent itself shows it. */
  readonly contextLeft: Figure;
  readonly rateLimits: readonly RateLimit[];
}

/** Counts of skipped lines, so that they can be shown. */
export interface SkippedLines {
  readonly malformed: number;
  /** Lines too long to hold in memory. */
  readonly oversized: number;
  /** Lines of an unknown type, by type. */
  readonly unknown: ReadonlyMap<string, number>;
}

export interface AgentSession<Item extends UsageRecord = UsageRecord> {
  readonly facts: SessionFacts;
  /** In file order, replays included: `countOnce` removes them. */
  readonly records: readonly Item[];
  readonly activity: AgentActivity;
  readonly skipped: SkippedLines;
}

/** Reads one session's file piecewise as it grows. Never throws, whatever the lines contain. */
export interface SessionLines<Item extends UsageRecord = UsageRecord> {
  /** One line without its newline, in a buffer that may be reused after the call. False where it is not one record. */
  line(line: Buffer): boolean;
  oversized(): void;
  /** The session after the lines so far. */
  session(): AgentSession<Item>;
}

/**
 * Reads a whole file's bytes, in any chunks. A last line without its newline is read if it is whole, else it is still being
 * written.
 */
export function readChunks<Item extends UsageRecord>(
  lines: SessionLines<Item>,
  chunks: Iterable<Buffer>,
): AgentSession<Item> {
  const splitter = new LineSplitter();
  for (const chunk of chunks) {
    splitter.push(
      chunk,
      (line) => readRecords(line, (record) => lines.line(record)),
      () => lines.oversized(),
    );
  }
  splitter.end(areWholeRecords, (line) => readRecords(line, (record) => lines.line(record)));
  return lines.session();
}
