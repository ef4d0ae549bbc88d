import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";

const kept = z.object({
  id: z.string(),
  at: described(z.number(), "Milliseconds since the epoch."),
  session: z.string(),
  program: z.string(),
  line: described(z.string(), "The command, without what looks like a secret."),
  compressor: z.string(),
  bytes: z.int(),
  lines: z.int(),
});

export const keptOutputsJson = z.object({
  schema: z.literal(1),
  outputs: described(z.optional(z.array(kept)), "All originals that are kept, the newest first."),
  output: described(
    z.optional(
      z.extend(kept, {
        from: described(z.int(), "The first line of the text, from 1."),
        text: z.string(),
      }),
    ),
    "The one with an ID, or the part of it that --lines asks for.",
  ),
  worksAgain: described(z.optional(z.array(z.string())), "The compressors that on COMMAND lets work again."),
});
export type KeptOutputsJson = z.infer<typeof keptOutputsJson>;
