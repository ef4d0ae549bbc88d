import * as z from "zod";
import { adviceLevels } from "../../sessions/advice.ts";

const tokens = z.int().nonnegative().nullable();
const percent = z.number().min(0).max(100).nullable();

/** Output of `purser status --session ID --json`. Members may be added; any other change changes `schema`. */
export const checkJson = z
  .strictObject({
    schema: z.literal(1),
    session: z.string(),
    cli: z.string().describe("The agent whose session it is."),
    timestamp: z.iso.datetime().describe("When this was read."),
    tokenLimit: tokens.describe("The context window."),
    tokensUsed: tokens.describe("What the last request put into it; null where nobody knows."),
    tokensRemaining: tokens,
    percentUsed: percent,
    percentRemaining: percent,
    provenance: z
      .enum(["official", "measured", "estimated", "unknown"])
      .describe("Who says what was used: the agent, or it was counted."),
    tokensUntilCompaction: tokens.describe("Until the agent compacts its context by itself."),
    recommendation: z.enum(adviceLevels).nullable().describe("Null where the window is not known."),
    thresholds: z
      .strictObject({ wrapUpAt: z.number().min(0).max(100), endTurnAt: z.number().min(0).max(100) })
      .describe("What it goes by: percent of the window left, as the user has set it."),
  })
  .meta({ title: "purser status --session ID --json" });
export type CheckJson = z.infer<typeof checkJson>;
