import type { Figure, Provenance } from "../usage/provenance.ts";
import type { UsageRecord } from "../usage/agent-record.ts";
import type { AgentActivity } from "./agent-activity.ts";
import { LineSplitter } from "./line-splitter.ts";

/** How much of a plan is used, as the agent was told by its API. */
export interface RateLimit {
  /** The agent's own name of it, such as `codex primary`. */
  readonly name: string;
  /** 0 to 100. */
  readonly usedPercent: number;
  /** The time the limit is over, or null. Minutes. */
  readonly windowMinutes: number | null;
  /** Milliseconds since the epoch, or null. */
  readonly resetsAt: number | null;
  /** When it was told. Milliseconds since the epoch, or null. */
  readonly at: number | null;
  readonly provenance: Extract<Provenance, "official">;
}

/** What a session's file tells of the session. What it does not tell is null or unknown. */
interface SessionFacts {
  /** The name of its adapter, such as "codex". */
  readonly agent: string;
  /** Empty where neither the file's content nor its name tells. */
  readonly sessionId: string;
  readonly parentId: string | null;
  /** What it is of its parent. */
  readonly kind: "main" | "fork" | "subagent";
  /** What kind of subagent it is, where it is one and its file tells. */
  readonly agentType: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly title: string | null;
  readonly agentVersion: string | null;
  readonly model: string | null;
  /** Milliseconds since the epoch of the last line with a time, or null. */
  readonly lastAt: number | null;
  /** Tokens the context may hold. */
  readonly window: Figure;
  /** Percent of the context that is left, as the agent itself shows it. */
  readonly contextLeft: Figure;
  readonly rateLimits: readonly RateLimit[];
}

/** What was passed over, so that it can be shown. */
export interface SkippedLines {
  readonly malformed: number;
  /** Lines too long to be held. */
  readonly oversized: number;
  /** Lines of a type nobody told us of, by type. */
  readonly unknown: ReadonlyMap<string, number>;
}

export interface AgentSession<Item extends UsageRecord = UsageRecord> {
  readonly facts: SessionFacts;
  /** In the order of the file, replays included: `countOnce` takes them out. */
  readonly records: readonly Item[];
  readonly activity: AgentActivity;
  readonly skipped: SkippedLines;
}

/** Reads one session's file, in pieces as it grows. Never throws, whatever the lines are. */
export interface SessionLines<Item extends UsageRecord = UsageRecord> {
  /** A line without its newline, in a buffer that may be used again after the call. */
  line(line: Buffer): void;
  oversized(): void;
  /** How it stands after the lines so far. */
  session(): AgentSession<Item>;
}

/** Reads a whole file's bytes, in any chunks. A last line without its newline is still being written: it waits. */
export function readChunks<Item extends UsageRecord>(
  lines: SessionLines<Item>,
  chunks: Iterable<Buffer>,
): AgentSession<Item> {
  const splitter = new LineSplitter();
  for (const chunk of chunks) {
    splitter.push(
      chunk,
      (line) => lines.line(line),
      () => lines.oversized(),
    );
  }
  return lines.session();
}
