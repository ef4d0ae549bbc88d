import { agentOf } from "../../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/**
 * The command line to resume a session in a terminal; undefined where its agent has none. The agent finds a session only
 * from its own folder.
 */
export function resumeCommand(
  { agent, id, cwd }: Pick<SessionSnapshot, "agent" | "id" | "cwd">,
  platform: NodeJS.Platform,
): string | undefined {
  const resume = agentOf(agent).resume?.(quoted(id, platform));
  if (resume === undefined || cwd === null) return resume;
  return platform === "win32"
    ? `cd ${quoted(cwd, platform)}; ${resume}`
    : `cd ${quoted(cwd, platform)} && ${resume}`;
}

/** Quotes a word from a file, so that a shell never interprets it. */
function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/u.test(word) && !word.startsWith("-")) return word;
  // A line break would run the part before it; an escape could end the terminal's bracketed paste.
  const line = word.replace(/\p{Cc}/gu, "");
  // PowerShell treats typographic quotes as quotes too.
  return platform === "win32"
    ? `'${line.replace(/['\u2018-\u201b]/gu, "$&$&")}'`
    : `'${line.replaceAll("'", `'\\''`)}'`;
}
