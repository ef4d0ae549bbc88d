import { unsetAgentSettings, type LiveReader } from "../live-reader.ts";
import { SessionFinder } from "./live/copilot-session-finder.ts";
import { transcriptOf } from "./live/session-folders.ts";

/**
 * Share of the window at which the agent begins to compact in the background: measured with 1.0.102, documented for its
 * SDK. At 95 % it would wait for the compaction.
 */
const backgroundShare = 0.8;

export const liveReader: LiveReader = {
  finder: (roots, isAlive) => new SessionFinder(roots, isAlive),
  // No setting moves the threshold, and the plan decides a model's window.
  settings: () => ({ ...unsetAgentSettings, usesCatalogueWindows: false }),
  usualThreshold: ({ window }) => Math.floor(window * backgroundShare),
  // Each response reports it, if the agent knows.
  cacheLife: null,
  compactionMarks: ["session.compaction_complete"],
  transcriptOf,
};
