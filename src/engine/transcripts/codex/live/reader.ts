import { joined } from "../../records/joined.ts";
import type { LiveReader, UsualThresholdInput } from "../../live-reader.ts";
import { readSettings } from "./agent-settings.ts";
import { SessionFinder } from "./codex-session-finder.ts";
import { systemLockedInodes } from "./thread-locks.ts";
import { firstFile, pathsIn } from "../../records/search.ts";
import { sessionIdOf } from "../rollout-name.ts";

/** `sessions/<year>/<month>/<day>`. */
const depth = 3;

/** Finds the rollout of a session or subagent: the active one before the archived one, the plain before the compressed. */
async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  for (const root of roots) {
    const rollouts = (await rolloutsBelow([root])).filter((file) => sessionIdOf(file) === id);
    const file = await firstFile(rollouts.toSorted((a, b) => Number(isCold(a)) - Number(isCold(b))));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Opens nothing with an extension: that is never a folder. */
async function rolloutsBelow(folders: readonly string[], level = 0): Promise<string[]> {
  const paths = await pathsIn(folders);
  const rollouts = paths.filter((file) => sessionIdOf(file) !== undefined);
  const deeper = level < depth ? paths.filter((file) => !/\.\w+$/u.test(file)) : [];
  return deeper.length === 0 ? rollouts : [...rollouts, ...(await rolloutsBelow(deeper, level + 1))];
}

function isCold(file: string): boolean {
  return file.endsWith(".zst");
}

export const liveReader: LiveReader = {
  finder: (roots, _, archived) => new SessionFinder(roots, systemLockedInodes, archived),
  settings: readSettings,
  usualThreshold,
  // OpenAI promises no duration: 5 to 10 minutes without use, at most an hour, or a day for some models.
  cacheLife: null,
  compactionMarks: ['"compacted"'],
  // A response found only by a total already has its whole key.
  storedId: (messageId) => (messageId.startsWith("codex ") ? messageId : joined("codex", messageId)),
  transcriptOf,
};

/** The window that Codex names is this share of the model's: its catalogue's `effective_context_window_percent`. */
const namedShare = 0.95;
/** Codex compacts when input and output of the last response reach this share of the model's window. */
const compactedShare = 0.9;

/**
 * A limit set by the user can only lower the usual one. Source: `auto_compact_token_limit` in
 * codex-rs/protocol/src/openai_models.rs.
 */
function usualThreshold({ window, settings }: UsualThresholdInput): number {
  const usual = Math.floor(Math.round(window / namedShare) * compactedShare);
  return Math.min(usual, settings.compactAt ?? usual);
}
