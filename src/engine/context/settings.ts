import * as z from "zod";

const percent = z.number().min(0).max(100);

const thresholds = {
  /** Advice becomes WRAP_UP when at most this share of the window remains. Percent. */
  wrapUpAt: percent.catch(50),
  /** Advice becomes END_TURN when less than this share remains. Percent. */
  endTurnAt: percent.catch(40),
};

/** What a user may set. Every host (window, CLI) passes the same values in; a bad value falls back to its default. */
export const contextSettings = z.object({
  ...thresholds,
  /** The folders of the host, with thresholds of their own; the deepest that a session works in holds for it. */
  folders: z.array(z.object({ path: z.string(), ...thresholds })).catch([]),
  /** A session is live while its transcript changed within this time. Minutes. */
  liveMinutes: z.number().min(1).max(10_080).catch(120),
  /** Where compaction begins when nothing else tells. Tokens. */
  compactAtTokens: z.number().int().positive().nullable().catch(null),
  /** The user's own windows and prices by model id; read by the catalogue. */
  models: z.record(z.string(), z.unknown()).catch({}),
});

export type ContextSettings = z.infer<typeof contextSettings>;

/** What holds when the user set nothing: every field is bad, so every field falls back. */
export const defaultSettings: ContextSettings = contextSettings.parse({});

/** The settings as they hold for a session of one of the host's folders, or of none. */
export function settingsIn(folder: string | null, settings: ContextSettings): ContextSettings {
  const own = settings.folders.find(({ path }) => path === folder);
  return own === undefined ? settings : { ...settings, wrapUpAt: own.wrapUpAt, endTurnAt: own.endTurnAt };
}
