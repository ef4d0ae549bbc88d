import { setImmediate as nextTurn } from "node:timers/promises";
import path from "node:path";
import { statsOf } from "../../base/files.ts";
import { agents } from "../../transcripts/agents.ts";
import type { HomeInput } from "../../transcripts/home-folder.ts";
import { lineReader } from "./read-line.ts";
import { SessionStories, type FoundSession } from "./session-stories.ts";

export interface StoriesInput extends HomeInput {
  readonly temporary: string;
  readonly rootOf: (folder: string) => string;
  /** Returns the transcript named by a session's hooks. Undefined if no hook named one. */
  readonly transcriptOf: (sessionId: string) => string | undefined;
}

/** Makes the stories of all agents' sessions: the bundle `stories`, loaded when the first of them is needed. */
export function createStories({ env, home, temporary, rootOf, transcriptOf }: StoriesInput): SessionStories {
  return new SessionStories({
    readLine: lineReader({ home, temporary }),
    rootOf,
    pause: async () => await nextTurn(),
    find: (sessionId) => findSession(sessionId, { env, home }, transcriptOf(sessionId)),
  });
}

async function findSession(
  sessionId: string,
  input: HomeInput,
  named: string | undefined,
): Promise<FoundSession | null> {
  if (!isName(sessionId)) return null;
  for (const { name: agent, roots, history, liveReader } of agents) {
    if (history === null) continue;
    const folders = roots(input);
    const isOwn = named !== undefined && folders.some((folder) => isBelow(named, folder));
    const transcript =
      isOwn && statsOf(named) !== undefined && named.endsWith(".jsonl")
        ? named
        : await (await liveReader()).transcriptOf(sessionId, folders);
    if (transcript === undefined) continue;
    const { session } = await history();
    return { agent, files: () => session(transcript) };
  }
  return null;
}

/** Whether an id is safe as a single path segment. */
function isName(sessionId: string): boolean {
  return /^[\w.-]{1,200}$/u.test(sessionId) && !/^\.+$/u.test(sessionId);
}

function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
}
