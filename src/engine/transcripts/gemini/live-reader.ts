import { joined } from "../records/joined.ts";
import type { LiveReader } from "../live-reader.ts";
import { ChatFinder, transcriptOf } from "./chat-finder.ts";
import { readCompressionSettings } from "./compression-settings.ts";

export const liveReader: LiveReader = {
  finder: (roots) => new ChatFinder(roots),
  settings: readCompressionSettings,
  /** Compared with the size of the last request, before each request. Source: `chatCompressionService.ts` of 0.61.0. */
  usualThreshold: ({ window, settings: { compactPercent } }) =>
    compactPercent === null ? null : Math.ceil((window * compactPercent) / 100),
  // The API caches by itself and promises no duration.
  cacheLife: null,
  compactionMarks: ["<state_snapshot>"],
  storedId: (messageId, sessionId) => joined("gemini", sessionId, messageId),
  transcriptOf,
};
