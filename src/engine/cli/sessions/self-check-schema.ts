import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import { adviceLevels } from "../../sessions/advice.ts";

const tokens = z.nullable(z.int().check(z.nonnegative()));
const percent = z.nullable(z.number().check(z.minimum(0), z.maximum(100)));

export const checkJson = z
  .strictObject({
    schema: z.literal(1),
    session: z.string(),
    cli: described(z.string(), "The agent whose session it is."),
    timestamp: described(z.iso.datetime(), "When this was read."),
    tokenLimit: described(tokens, "The context window."),
    tokensUsed: described(tokens, "What the last request put into it; null where nobody knows."),
    tokensRemaining: tokens,
    percentUsed: percent,
    percentRemaining: percent,
    provenance: described(
      z.enum(["official", "measured", "estimated", "unknown"]),
      "Who says what was used: the agent, or it was counted.",
    ),
    tokensUntilCompaction: described(tokens, "Until the agent compacts its context by itself."),
    recommendation: described(z.nullable(z.enum(adviceLevels)), "Null where the window is not known."),
    thresholds: described(
      z.strictObject({
        wrapUpAt: z.number().check(z.minimum(0), z.maximum(100)),
        endTurnAt: z.number().check(z.minimum(0), z.maximum(100)),
      }),
      "What it goes by: percent of the window left, as the user has set it.",
    ),
  })
  .check(z.meta({ title: "purser status --session ID --json" }));
export type CheckJson = z.infer<typeof checkJson>;
