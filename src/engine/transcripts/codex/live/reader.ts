import { joined } from "../../../base/text/joined.ts";
import type { LiveReader, UsualThresholdInput } from "../../live-reader.ts";
import { readSettings } from "./agent-settings.ts";
import { SessionFinder } from "./session-finder.ts";
import { systemLockedInodes } from "./thread-locks.ts";
import { transcriptOf } from "./rollout-of.ts";

export const liveReader: LiveReader = {
  finder: (roots, _, archived) => new SessionFinder(roots, systemLockedInodes, archived),
  settings: readSettings,
  usualThreshold,
  // OpenAI promises no time: 5 to 10 minutes without use, at most an hour, or a day for some models.
  cacheLife: null,
  compactionMarks: ['"compacted"'],
  // A response that only a total tells of has its whole key already.
  storedId: (messageId) => (messageId.startsWith("codex ") ? messageId : joined("codex", messageId)),
  transcriptOf,
};

/** The window that Codex names is this share of the model's: its catalogue's `effective_context_window_percent`. */
const namedShare = 0.95;
/** Codex compacts when input and output of the last response reach this share of the model's window. */
const compactedShare = 0.9;

/** A limit that the user sets only ever lowers the usual one. Source: `auto_compact_token_limit` in codex-rs/protocol/src/openai_models.rs. */
function usualThreshold({ window, settings }: UsualThresholdInput): number {
  const usual = Math.floor(Math.round(window / namedShare) * compactedShare);
  return Math.min(usual, settings.compactAt ?? usual);
}
