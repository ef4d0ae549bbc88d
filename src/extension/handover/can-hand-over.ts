import { agentOf } from "../../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/** Whether a session's record describes its work well enough to hand it over. */
export function canHandOver({ agent }: Pick<SessionSnapshot, "agent">): boolean {
  return agentOf(agent).history !== null;
}
