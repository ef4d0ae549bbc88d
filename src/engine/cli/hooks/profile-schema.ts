import * as z from "zod";

const milliseconds = z.number().nonnegative().nullable();
const count = z.int().nonnegative();
const figures = {
  event: z.string(),
  count: count.describe("Hooks that ran, as far as it is told."),
  p50: milliseconds.describe("Half of them took no longer. Milliseconds; null where nothing tells."),
  p95: milliseconds,
  injectedTokens: count.describe("Put into agents' contexts; estimated from characters, at four a token."),
};

/** Output of `purser hooks profile --json`. Members may be added; any other change changes `schema`. */
export const hookProfileJson = z
  .strictObject({
    schema: z.literal(1),
    since: z.iso.datetime(),
    own: z.array(z.strictObject(figures)).describe("Purser's, from its ledger: each hook there was."),
    others: z
      .array(z.strictObject({ command: z.string().nullable(), isOwn: z.boolean(), ...figures }))
      .describe(
        "Everybody's, from Claude Code's transcripts, which tell of hooks that said something, and of all at a turn's end.",
      ),
    problems: z.array(z.string()),
  })
  .meta({ title: "purser hooks profile --json" });
export type HookProfileJson = z.infer<typeof hookProfileJson>;
