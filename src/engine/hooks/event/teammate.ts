import path from "node:path";
import { readSubagentMeta } from "../../transcripts/claude.ts";
import type { HookEvent } from "./event.ts";

/**
 * Returns a teammate's event with its agent's type. Claude Code sends a teammate's name as its type, and
 * stores both next to its transcript. Rules, budgets and medians are per type.
 */
export function withTrueType(event: HookEvent): HookEvent {
  const { agent_id: id, agent_type: name, transcript_path: transcript } = event;
  if (id === undefined || name === undefined || transcript === undefined) return event;
  // Only a teammate's id starts with its name.
  if (!id.startsWith(`a${name}-`) || path.basename(id) !== id || !transcript.endsWith(".jsonl")) return event;
  const session = transcript.slice(0, -".jsonl".length);
  const meta = readSubagentMeta(path.join(session, "subagents", `agent-${id}.jsonl`));
  return meta.name === name && meta.type !== null ? { ...event, agent_type: meta.type } : event;
}
