import { plainWord, quotedWord } from "../../engine/base/process.ts";
import { agentOf } from "../../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { agents, type SessionRoot } from "../../engine/transcripts/agents.ts";

/** A name of one file or folder, which leads nowhere else. */
const plainName = /^(?!\.)[^\p{C}/\\:*?"<>|]+$/u;

export interface TranscriptSearch {
  readonly roots: readonly SessionRoot[];
  /** The session's agent, by its adapter's name. Null if unknown: then every agent's folders are searched. */
  readonly agent: string | null;
}

/**
 * Finds the transcript of a session that is not followed. Undefined when there is none, or no longer one.
 * @param id untrusted: only a plain name is searched for
 */
export async function findTranscript(
  id: string,
  { roots, agent }: TranscriptSearch,
): Promise<string | undefined> {
  if (!plainName.test(id)) return undefined;
  for (const { name, liveReader } of agents.filter((each) => agent === null || each.name === agent)) {
    const own = roots.flatMap((root) => (root.agent === name ? [root.path] : []));
    const file = await (await liveReader()).transcriptOf(id, own);
    if (file !== undefined) return file;
  }
  return undefined;
}

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
