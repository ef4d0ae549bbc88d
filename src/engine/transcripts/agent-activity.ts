/**
 * What agents other than Claude Code did in a session, as far as their files record it: names, paths, sizes and counts,
 * never the text of a tool or a file. Anything not recorded is null.
 */

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
