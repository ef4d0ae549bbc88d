import type { GuardHit } from "../../../engine/guard/answers.ts";
import { isUnknown } from "../../../engine/guard/commands.ts";
import { toolKind } from "../../../engine/transcripts/tool-kind.ts";

/** Calls that are offered. */
const maxCalls = 40;

/** Returns the calls that guard rules fired on lately, the newest first, each once, written as rules' examples are. */
export function recentCalls(hits: readonly Pick<GuardHit, "tool" | "excerpt">[]): readonly string[] {
  const calls = hits.map(asExample).filter((call) => call !== null);
  return [...new Set(calls)].slice(0, maxCalls);
}

/**
 * Returns null for a truncated call, one with parts that only the running shell knew, or one that rules do
 * not test.
 */
function asExample({ tool, excerpt }: Pick<GuardHit, "tool" | "excerpt">): string | null {
  if (tool === null || excerpt === null || excerpt.trim() === "") return null;
  if (excerpt.endsWith("…") || excerpt.includes("\n") || isUnknown(excerpt)) return null;
  switch (toolKind(tool)) {
    case "command":
      return tool.toLowerCase() === "powershell" ? `PowerShell(${excerpt})` : excerpt;
    case "read":
      return `Read(${excerpt})`;
    case "edit":
      return `Edit(${excerpt})`;
    case "search":
    case "list":
    case "other":
      return null;
  }
}
