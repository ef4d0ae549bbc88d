/**
 * What agents beside Claude Code did in a session, as far as their files tell: names, paths, sizes and counts, never the
 * text of a tool or a file. What is not told is null.
 */

/** Whose a line of a file is: the session's own, copied from another's history, or nobody can tell from it alone. */
export type Origin = "own" | "copied" | "unsure";

/** From what somebody asked to what ended the work on it. */
export interface AgentTurn {
  /** Stable however often the file is read, and one of its session only. */
  readonly id: string;
  /** The subagent inside the session whose turn it is, or null. */
  readonly agentId: string | null;
  readonly origin: Origin;
  /** The file holds nothing of its conversation before it. */
  readonly isFirst: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** As the agent told it, or null. */
  readonly durationMs: number | null;
  readonly promptChars: number | null;
  /** The places in the session's records of its responses. */
  readonly records: readonly number[];
  /** The file tells when turns begin and end, so that what it holds none of was not there. */
  readonly isBounded: boolean;
  readonly hasStopped: boolean;
  /** Its last word was the model's, and the agent said nothing of an error. */
  readonly isCompleted: boolean;
  /** The agent said that it could not get an answer. */
  readonly isFailed: boolean;
}

export interface AgentCall {
  /** Of its session only: where the agent's own id comes twice, the second is told apart. */
  readonly id: string;
  readonly agentId: string | null;
  readonly origin: Origin;
  /** Its place in the session's turns. */
  readonly turn: number | null;
  /** The place in the session's records of the response that made it. */
  readonly record: number | null;
  readonly at: number | null;
  readonly tool: string;
  /** The MCP server and the skill it belongs to. */
  readonly server: string | null;
  readonly skill: string | null;
  readonly inputChars: number | null;
  readonly resultChars: number | null;
  readonly durationMs: number | null;
  readonly isError: boolean | null;
  /** The files it read, or null where nobody can tell. */
  readonly reads: readonly string[] | null;
}

export interface AgentCompaction {
  readonly id: string;
  readonly agentId: string | null;
  readonly origin: Origin;
  /** Its place in the session's turns. */
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
  /** In the order they began. */
  readonly turns: readonly AgentTurn[];
  readonly calls: readonly AgentCall[];
  readonly compactions: readonly AgentCompaction[];
  readonly parts: readonly AgentPart[];
}
