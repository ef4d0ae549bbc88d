import type { SeenRequest } from "./request.ts";
import type { Role } from "./role.ts";

const purpose = "x-interaction-type";

/**
 * Returns a classifier of Copilot CLI's requests. Only a conversation's first request names a subagent; the later ones
 * begin with the same message.
 */
export function copilotRoles(): (request: SeenRequest) => Role {
  const subagents = new Set<string>();
  return ({ headers, firstText }) => {
    if (headers[purpose] === "conversation-compaction") return "summary";
    if (headers[purpose] === "conversation-subagent") subagents.add(firstText);
    return subagents.has(firstText) ? "subagent" : "main";
  };
}
