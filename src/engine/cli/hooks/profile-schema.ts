import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

const milliseconds = z.nullable(z.number().check(z.nonnegative()));
const count = z.int().check(z.nonnegative());
const figures = {
  event: z.string(),
  count: count.check(z.describe("Recorded runs of hooks.")),
  p50: milliseconds.check(z.describe("Half of them took no longer. Milliseconds; null where nothing tells.")),
  p95: milliseconds,
  injectedTokens: count.check(
    z.describe("Put into agents' contexts; estimated from characters, at four a token."),
  ),
};

export const hookProfileJson = z
  .strictObject({
    schema: z.literal(1),
    since: z.iso.datetime(),
    own: z
      .array(z.strictObject(figures))
      .check(z.describe("Purser's, from its ledger: each hook there was.")),
    others: z
      .array(z.strictObject({ command: z.nullable(z.string()), isOwn: z.boolean(), ...figures }))
      .check(
        z.describe(
          "Everybody's, from Claude Code's transcripts, which tell of hooks that said something, and of all at a turn's end.",
        ),
      ),
    problems: z.array(sentenceSchema),
  })
  .check(z.meta({ title: "purser hooks profile --json" }));
export type HookProfileJson = z.infer<typeof hookProfileJson>;
