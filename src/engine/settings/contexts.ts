import * as z from "zod/mini";

/** A value between 0 and 1 is a share taken for a percentage. */
export const percent = z.number().check(
  z.minimum(0),
  z.maximum(100),
  z.refine((value) => value === 0 || value >= 1),
);

/**
 * User settings for contexts. `settings/precedence.ts` decides which of several places applies to a session.
 */
export const contextShape = {
  /** Advice becomes WRAP_UP when at most this share of the window remains. Percent. */
  wrapUpAt: percent.check(
    z.describe("Advise to wrap up at this percentage of the context window left, or less."),
  ),
  /** Advice becomes END_TURN when less than this share remains. Percent. */
  endTurnAt: percent.check(
    z.describe(
      "Advise to end the turn below this percentage of the context window left. Less than wrapUpAt.",
    ),
  ),
  /** A session is live while its transcript changed within this time. Minutes. */
  liveMinutes: z
    .number()
    .check(
      z.minimum(1),
      z.maximum(10_080),
      z.describe(
        "Minutes without a change after which a session without a process no longer counts as live.",
      ),
    ),
  /** Default compaction threshold, if nothing else is known. Tokens. */
  compactAtTokens: z
    .nullable(z.int().check(z.positive()))
    .check(
      z.describe(
        "Tokens at which your agent compacts. Used until your own compactions or the model show it.",
      ),
    ),
  /** The user's own windows and prices by model id; read by the catalogue. */
  models: z
    .record(z.string(), z.unknown())
    .check(
      z.describe(
        "Figures of models, by id: window and maxOutput in tokens; input, output, cacheWrite5m, cacheWrite1h and cacheRead in USD per million tokens.",
      ),
    ),
};

export type ContextSettings = Readonly<z.infer<z.ZodMiniObject<typeof contextShape>>>;

/** Defaults of these settings. */
export const defaultContextSettings: ContextSettings = {
  wrapUpAt: 50,
  endTurnAt: 40,
  liveMinutes: 120,
  compactAtTokens: null,
  models: {},
};
