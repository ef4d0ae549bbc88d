import * as z from "zod/mini";
import { adviceLevels } from "../../sessions/advice.ts";

const tokens = z.nullable(z.int().check(z.nonnegative()));
const percent = z.nullable(z.number().check(z.minimum(0), z.maximum(100)));

export const checkJson = z
  .strictObject({
    schema: z.literal(1),
    session: z.string(),
    cli: z.string().check(z.describe("The agent whose session it is.")),
    timestamp: z.iso.datetime().check(z.describe("When this was read.")),
    tokenLimit: tokens.check(z.describe("The context window.")),
    tokensUsed: tokens.check(z.describe("What the last request put into it; null where nobody knows.")),
    tokensRemaining: tokens,
    percentUsed: percent,
    percentRemaining: percent,
    provenance: z
      .enum(["official", "measured", "estimated", "unknown"])
      .check(z.describe("Who says what was used: the agent, or it was counted.")),
    tokensUntilCompaction: tokens.check(z.describe("Until the agent compacts its context by itself.")),
    recommendation: z.nullable(z.enum(adviceLevels)).check(z.describe("Null where the window is not known.")),
    thresholds: z
      .strictObject({
        wrapUpAt: z.number().check(z.minimum(0), z.maximum(100)),
        endTurnAt: z.number().check(z.minimum(0), z.maximum(100)),
      })
      .check(z.describe("What it goes by: percent of the window left, as the user has set it.")),
  })
  .check(z.meta({ title: "purser status --session ID --json" }));
export type CheckJson = z.infer<typeof checkJson>;
