/** What agents' files report, in one form for all agents. */
import type { Figure, Provenance, TokenUsage } from "../usage/token-counts.ts";
import type { UsageRecord } from "../usage/aggregate.ts";
import { LineSplitter } from "./line-splitter.ts";
import { areWholeRecords, readRecords } from "./records/recovered.ts";
import type { Sentence } from "../base/language.ts";
import type { ApiResponse, Compaction } from "../usage/api-response.ts";

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

// What agents other than Claude Code did in a session, as far as their files record it: names, paths, sizes and counts,
// never the text of a tool or a file. Anything not recorded is null.

/** Origin of a line: the session's own, copied from another session's history, or undecidable from the file alone. */
export type Origin = "own" | "copied" | "unsure";

/** One turn, from the prompt to the end of the work on it. */
export interface AgentTurn {
  /** Stable across reads of the file, and unique within its session. */
  readonly id: string;
  /** The subagent inside the session that ran the turn, or null. */
  readonly agentId: string | null;
  readonly origin: Origin;
  /** The file records nothing of its conversation before this turn. */
  readonly isFirst: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** As the agent reported it, or null. */
  readonly durationMs: number | null;
  readonly promptChars: number | null;
  /** Indexes of its responses in the session's records. */
  readonly records: readonly number[];
  /** The file records where turns begin and end, so anything missing from the turn did not happen. */
  readonly isBounded: boolean;
  readonly hasStopped: boolean;
  /** The model had the last word, and the agent reported no error. */
  readonly isCompleted: boolean;
  /** The agent reported that it could not get an answer. */
  readonly isFailed: boolean;
}

export interface AgentCall {
  /** Unique within its session: when the agent repeats its own id, the second call gets a suffix. */
  readonly id: string;
  readonly agentId: string | null;
  readonly origin: Origin;
  /** Index in the session's turns. */
  readonly turn: number | null;
  /** Index in the session's records of the response that made the call. */
  readonly record: number | null;
  readonly at: number | null;
  readonly tool: string;
  /** The MCP server and the skill the call belongs to. */
  readonly server: string | null;
  readonly skill: string | null;
  readonly inputChars: number | null;
  readonly resultChars: number | null;
  readonly durationMs: number | null;
  readonly isError: boolean | null;
  /** The files it read, or null when unknown. */
  readonly reads: readonly string[] | null;
}

export interface AgentCompaction {
  readonly id: string;
  readonly agentId: string | null;
  readonly origin: Origin;
  /** Index in the session's turns. */
  readonly turn: number | null;
  readonly at: number | null;
  readonly trigger: "auto" | "manual" | "unknown";
  readonly model: string | null;
  /** Tokens in the context before and after. */
  readonly preTokens: number | null;
  readonly postTokens: number | null;
}

/** A subagent that works inside its parent's session. */
interface AgentPart {
  readonly agentId: string;
  readonly type: string | null;
  readonly description: string | null;
}

export interface AgentActivity {
  /** In starting order. */
  readonly turns: readonly AgentTurn[];
  readonly calls: readonly AgentCall[];
  readonly compactions: readonly AgentCompaction[];
  readonly parts: readonly AgentPart[];
}

/** What a transcript line contains, in purser's own terms. One line may yield several events, or none. */
export type TranscriptEvent =
  | { readonly kind: "place"; readonly cwd: string; readonly branch: string | null }
  | ResponseEvent
  /** The model calls a tool. A streamed response has a row of its own for each call, and forks copy them. */
  | { readonly kind: "tool-call"; readonly id: string; readonly tool: string; readonly isCopy: boolean }
  /** A script that the model wrote calls a tool. `script` is the call that runs the script. */
  | { readonly kind: "nested-call"; readonly id: string; readonly script: string }
  /** A person or a script entered a prompt: a new turn begins. */
  | { readonly kind: "prompt"; readonly at: number | null; readonly text: string }
  /** The agent wakes its model itself, because background work has ended. */
  | { readonly kind: "notification"; readonly at: number | null }
  /** The agent could not get an answer from its API. */
  | { readonly kind: "api-error"; readonly at: number | null }
  | { readonly kind: "compaction"; readonly compaction: Compaction }
  /** The agent reports that the last compaction did not wait for a full window. */
  | { readonly kind: "early-compaction" }
  /** The agent names the model it requests, including any `[1m]` suffix. */
  | { readonly kind: "model"; readonly requestedModel: string }
  /** A request is about to be sent, with these beta flags. */
  | { readonly kind: "request"; readonly model: string; readonly betas: readonly string[] }
  /** The agent informs its model of the tokens left in a context or a budget; null without a number. */
  | { readonly kind: "tokens-note"; readonly left: number | null }
  | OfficialTotalEvent
  /** The agent names the window of the model in use; null where it names none for this model. Tokens. */
  | { readonly kind: "window"; readonly tokens: number | null; readonly source: Sentence }
  /** The agent's own estimate of the context now, where no response reports it, such as after a compaction. Tokens. */
  | { readonly kind: "context"; readonly tokens: number; readonly source: Sentence }
  /** This many tokens of tool results left the context; null where the agent does not report the number. */
  | { readonly kind: "cleared"; readonly tokens: number | null; readonly at: number | null }
  /** How long the provider keeps the last response's context cached, as the agent reports it. Milliseconds. */
  | { readonly kind: "cache-life"; readonly ms: number }
  | { readonly kind: "plan-limits"; readonly limits: readonly RateLimit[] }
  /** Facts about the named subagent, else about the one that the row belongs to; null where the row has none. */
  | ({ readonly kind: "subagent"; readonly agentId?: string } & SubagentFacts)
  /** The agent finished the prompt, or abandoned it. */
  | { readonly kind: "turn-ended" }
  /**
   * The files' figures are as of this time, milliseconds since the epoch: the agent writes them only now and then, for
   * this reason.
   */
  | { readonly kind: "as-of"; readonly at: number; readonly reason: Sentence }
  /** The agent's files cannot give this figure, for this reason. */
  | { readonly kind: "untold"; readonly figure: UnreportedFigure; readonly reason: Sentence }
  | { readonly kind: "title"; readonly title: string };

export interface SubagentFacts {
  readonly type: string | null;
  readonly description: string | null;
  readonly finished: boolean | null;
}

/**
 * `usage`: the sum of tokens used, and its cost. `cache`: tokens read from a cache. `context`: the content of the
 * context.
 */
export type UnreportedFigure = "usage" | "cache" | "context";

export interface ResponseEvent {
  readonly kind: "response";
  readonly response: ApiResponse;
  /** The row copies a response of the session this one was forked from. */
  readonly isCopy: boolean;
  /** Tokens cleared from the context so far, a cumulative figure; absent where the row has none. */
  readonly cleared?: number;
  /** The model finished its answer: no tool call follows. */
  readonly endsTurn: boolean;
}

/**
 * The agent's own running total, written when its process ends. It continues across resumes, starts at the parent's
 * total in a fork, and includes subagents and the summary requests of compactions, which no row records.
 */
export interface OfficialTotalEvent {
  readonly kind: "official-total";
  readonly usd: number;
  /** By the agent's full model id, including any `[1m]` suffix. */
  readonly models: readonly { readonly model: string; readonly usage: TokenUsage }[];
}

/**
 * Result of reading one line. `unknown` and `malformed` are counted by kind and shown; `known` lines need no counting.
 */
export type RowReading =
  | {
      readonly outcome: "known";
      /** The row is part of a side conversation: a subagent's, or an aside. */
      readonly isSidechain: boolean;
      /** When the row was written. Milliseconds since the epoch, or null. */
      readonly at: number | null;
      /** The subagent the row belongs to, in files with rows of several; absent for the file's own. */
      readonly agentId?: string;
      readonly events: readonly TranscriptEvent[];
    }
  | { readonly outcome: "unknown"; readonly type: string }
  | { readonly outcome: "malformed" };

/** The words by which a first prompt names its session: of a handover's document, the name of the work in its first line. */
export function promptName(prompt: string): string {
  return /^\W{0,8}Handover h[\da-f]{8}: (?<name>[^\r\n]+)/u.exec(prompt)?.groups?.["name"] ?? prompt;
}
