import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { claudeRoots } from "../../engine/transcripts/claude/roots.ts";
import { findRollouts } from "../../engine/transcripts/codex/files.ts";
import { sessionIdOf } from "../../engine/transcripts/codex/rollout-name.ts";
import { codexRoots } from "../../engine/transcripts/codex/roots.ts";

export interface TranscriptRoots {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Finds the transcript of a session whose file is named after its id, as Claude Code's and Codex's are. Undefined when
 * there is none, or no longer one. @param id untrusted: only a plain name is searched for
 */
export async function findTranscript(id: string, input: TranscriptRoots): Promise<string | undefined> {
  if (!/^[\w-]+$/u.test(id)) return undefined;
  for (const root of claudeRoots(input)) {
    const projects = path.join(root, "projects");
    const folders = await readdir(projects).catch(() => []); // a missing folder counts as empty
    const file = folders.map((folder) => path.join(projects, folder, `${id}.jsonl`)).find(existsSync);
    if (file !== undefined) return file;
  }
  return findRollouts(codexRoots(input)).files.find((file) => sessionIdOf(file.path) === id)?.path;
}
