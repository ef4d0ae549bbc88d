import { SessionFinder } from "./session-finder.ts";
import { readSettings } from "./agent-settings.ts";
import { transcriptOf } from "./files.ts";
import type { LiveReader, UsualThresholdInput } from "../live-reader.ts";

export const liveReader: LiveReader = {
  finder: (roots, isAlive) => new SessionFinder(roots, isAlive),
  settings: readSettings,
  usualThreshold,
  cacheLife: { short: 5 * 60_000, long: 60 * 60_000 },
  compactionMarks: ["compact_boundary"],
  transcriptOf,
};

/**
 * Maximum output the agent reserves, and its safety margin, in tokens. Observed by several projects, not
 * documented.
 */
const outputReserve = 20_000;
const margin = 13_000;

/** The window minus output reserve minus margin, lowered by the agent's own settings. */
function usualThreshold({ window, maxOutput, settings }: UsualThresholdInput): number {
  const capped = Math.min(window, settings.autoCompactWindow ?? window);
  const reserve = Math.min(settings.maxOutputTokens ?? maxOutput ?? outputReserve, outputReserve);
  const usual = capped - reserve - margin;
  const percent = settings.compactPercent;
  return Math.max(0, percent === null ? usual : Math.min(usual, Math.floor((capped * percent) / 100)));
}
