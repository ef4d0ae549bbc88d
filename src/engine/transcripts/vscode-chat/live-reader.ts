import { unsetAgentSettings, type LiveReader } from "../live-reader.ts";
import { ChatFinder } from "./chat-finder.ts";
import { transcriptOf } from "./vscode-chat-files.ts";

/**
 * VS Code names the window of each model itself. It has no compaction rule of its own: each participant may have one.
 */
export const liveReader: LiveReader = {
  finder: (roots) => new ChatFinder(roots),
  settings: () => ({ ...unsetAgentSettings, usesCatalogueWindows: false }),
  usualThreshold: () => null,
  cacheLife: null,
  compactionMarks: ["summarizeConversationHistory"],
  transcriptOf,
};
