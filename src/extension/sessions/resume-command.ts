import { plainWord, quotedWord } from "../../engine/base/process.ts";
import { agentOf } from "../../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/**
 * The command line to resume a session in a terminal. Undefined if its agent has none. The agent finds a
 * session only from the session's folder.
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

/** Quotes a word from a file if a shell could misread it, such as an option. */
function quoted(word: string, platform: NodeJS.Platform): string {
  return plainWord.test(word) && !word.startsWith("-") ? word : quotedWord(word, platform);
}
