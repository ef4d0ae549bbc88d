import type { SeenRequest } from "./request.ts";

/**
 * The purpose of a request. `summary` is a compaction's own request: the agent writes no row for its answer, so no
 * transcript holds those tokens. `aside` is any other request without tools (a title, say), unwritten as well.
 */
export type Role = "main" | "subagent" | "summary" | "aside";

export function roleOf(request: SeenRequest): Role {
  if (request.lastText.includes("<summary> block")) return "summary";
  if (request.headers["x-claude-code-agent-id"] !== undefined) return "subagent";
  return request.toolNames.length === 0 ? "aside" : "main";
}

/** The session a request belongs to; a subagent's request names its parent's session. */
export function sessionOf(request: SeenRequest): string {
  return request.headers["x-claude-code-session-id"] ?? "";
}

export function agentOf(request: SeenRequest): string | null {
  return request.headers["x-claude-code-agent-id"] ?? null;
}
