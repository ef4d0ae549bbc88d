import * as z from "zod/mini";
import { described } from "../base/sentence-schema.ts";

/** A value between 0 and 1 is a share taken for a percentage. */
const percent = z.number().check(
  z.minimum(0),
  z.maximum(100),
  z.refine((value) => value === 0 || value >= 1),
);

/** `precedence.ts` decides which of several places applies to a session. */
export const contextShape = {
  wrapUpAt: described(
    z.nullable(percent),
    "Advise to wrap up at this percentage of the context window left, or less. Null for the usual advice: by the room until compaction.",
  ),
  endTurnAt: described(
    z.nullable(percent),
    "Advise to end the turn below this percentage of the context window left. Less than wrapUpAt. Null for the usual advice.",
  ),
  liveMinutes: described(
    z.number().check(z.minimum(1), z.maximum(10_080)),
    "Minutes without a change after which a session without a process no longer counts as live.",
  ),
  compactAtTokens: described(
    z.nullable(z.int().check(z.positive())),
    "Tokens at which your agent compacts. Used until your own compactions or the model show it.",
  ),
  models: described(
    z.record(z.string(), z.unknown()),
    "Figures of models, by id: window and maxOutput in tokens; input, output, cacheWrite5m, cacheWrite1h and cacheRead in USD per million tokens.",
  ),
};

export type ContextSettings = Readonly<z.infer<z.ZodMiniObject<typeof contextShape>>>;

export const defaultContextSettings: ContextSettings = {
  wrapUpAt: null,
  endTurnAt: null,
  liveMinutes: 120,
  compactAtTokens: null,
  models: {},
};
