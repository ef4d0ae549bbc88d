import { toolKind } from "../../transcripts/tool-kind.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import { hitEntry, type GuardHitEntry, type HitCall } from "../hit-entry.ts";

/** Stands for a rule where a call was not judged in time, or by nobody as no service ran. */
const notJudged = { rule: "not-judged", family: "safety", action: "ask", done: "unjudged" } as const;

/** Events of calls that guard rules judge. */
export const judgedEvents = ["PreToolUse", "PreSkillShellCommand"] as const;
const judged: ReadonlySet<string> = new Set(judgedEvents);
const judgedKinds: ReadonlySet<string> = new Set(["command", "edit", "read"]);

/** Returns the entry of a call that was judged too late. */
export function lateEntry(
  call: HitCall,
  facts: { readonly program: string; readonly excerpt: string; readonly at: number },
): GuardHitEntry {
  return hitEntry(call, { ...facts, ...notJudged });
}

/** Returns the entries of those calls among spooled hooks that no service has judged. What they were is not known. */
export function unjudgedEntries(spooled: readonly LedgerEntry[]): GuardHitEntry[] {
  return spooled.flatMap((entry): GuardHitEntry[] => {
    if (entry.kind !== "hook-event" || !judged.has(entry.event)) return [];
    const { id, sessionId, agentId = null, at = null, tool = null, outcome = null } = entry;
    // A service that could not reach the ledger has spooled what it answered.
    if (outcome !== null || tool === null || !judgedKinds.has(toolKind(tool))) return [];
    const call = { kind: "guard-hit", id: `${id}:${notJudged.rule}`, sessionId, agentId, at, tool } as const;
    return [{ ...call, ...notJudged, program: null, excerpt: null, folder: null, savedBytes: null }];
  });
}
