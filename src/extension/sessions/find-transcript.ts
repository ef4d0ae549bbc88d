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
