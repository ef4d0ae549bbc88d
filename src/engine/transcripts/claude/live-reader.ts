import { SessionFinder } from "./claude-session-finder.ts";
import { readSettings } from "./agent-settings.ts";
import { transcriptOf } from "./claude-files.ts";
import { normaliseModelName } from "../../usage/catalogue.ts";
import type { LiveReader, NoThreshold, UsualThresholdInput } from "../live-reader.ts";

export const liveReader: LiveReader = {
  finder: (roots, isAlive) => new SessionFinder(roots, isAlive),
  settings: readSettings,
  usualThreshold,
  cacheLife: { short: 5 * 60_000, long: 60 * 60_000 },
  compactionMarks: ["compact_boundary"],
  storedId: (messageId) => messageId,
  transcriptOf,
};

/**
 * Maximum output the agent reserves, and its safety margin, in tokens. Observed by several projects, not
 * documented.
 */
const outputReserve = 20_000;
const margin = 13_000;

/** Models that the agent compacts only after the API refused a request, unless a smaller window is set for it. */
const neverCompacted: ReadonlySet<string> = new Set(["claude-sonnet-4-5", "claude-haiku-4-5"]);

/** The window minus output reserve minus margin, lowered by the agent's own settings. */
function usualThreshold({
  window,
  model = "",
  isKnownModel = true,
  maxOutput,
  settings,
}: UsualThresholdInput): number | NoThreshold {
  if (settings.autoCompactWindow === null && neverCompacted.has(normaliseModelName(model))) return "model";
  const assumed = isKnownModel ? null : (settings.maxContextTokens ?? settings.assumedWindow);
  const agentWindow = assumed ?? window;
  const capped = Math.min(agentWindow, settings.autoCompactWindow ?? agentWindow);
  const reserve = Math.min(settings.maxOutputTokens ?? maxOutput ?? outputReserve, outputReserve);
  const usual = capped - reserve - margin;
  const percent = settings.compactPercent;
  const lowered =
    percent === null ? usual : Math.min(usual, Math.floor(((capped - reserve) * percent) / 100));
  return lowered >= window ? "assumed-window" : Math.max(0, lowered);
}
