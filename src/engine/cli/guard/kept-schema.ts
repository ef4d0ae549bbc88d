import * as z from "zod/mini";

const kept = z.object({
  id: z.string(),
  at: z.number().check(z.describe("Milliseconds since the epoch.")),
  session: z.string(),
  program: z.string(),
  line: z.string().check(z.describe("The command, without what looks like a secret.")),
  compressor: z.string(),
  bytes: z.int(),
  lines: z.int(),
});

export const keptOutputsJson = z.object({
  schema: z.literal(1),
  outputs: z.optional(z.array(kept)).check(z.describe("All originals that are kept, the newest first.")),
  output: z
    .optional(
      z.extend(kept, {
        from: z.int().check(z.describe("The first line of the text, from 1.")),
        text: z.string(),
      }),
    )
    .check(z.describe("The one with an ID, or the part of it that --lines asks for.")),
  worksAgain: z
    .optional(z.array(z.string()))
    .check(z.describe("The compressors that on COMMAND lets work again.")),
});
export type KeptOutputsJson = z.infer<typeof keptOutputsJson>;
