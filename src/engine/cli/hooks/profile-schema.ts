import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

const milliseconds = z.nullable(z.number().check(z.nonnegative()));
const count = z.int().check(z.nonnegative());
const figures = {
  event: z.string(),
  count: described(count, "Recorded runs of hooks."),
  p50: described(milliseconds, "Half of them took no longer. Milliseconds; null where nothing tells."),
  p95: milliseconds,
  injectedTokens: described(count, "Put into agents' contexts; estimated from characters, at four a token."),
};

export const hookProfileJson = z
  .strictObject({
    schema: z.literal(1),
    since: z.iso.datetime(),
    own: described(z.array(z.strictObject(figures)), "Purser's, from its ledger: each hook there was."),
    others: described(
      z.array(z.strictObject({ command: z.nullable(z.string()), isOwn: z.boolean(), ...figures })),
      "Everybody's, from Claude Code's transcripts, which tell of hooks that said something, and of all at a turn's end.",
    ),
    problems: z.array(sentenceSchema),
  })
  .check(z.meta({ title: "purser hooks profile --json" }));
export type HookProfileJson = z.infer<typeof hookProfileJson>;
