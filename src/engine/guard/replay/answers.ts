import * as z from "zod";

const time = z.number().nullable().describe("Milliseconds since the epoch.");
const count = z.int().nonnegative();

const pastHit = z.object({
  at: time,
  agent: z.string(),
  session: z.string(),
  folder: z.string().nullable(),
  excerpt: z
    .string()
    .describe("The part of the call that the rule fired on, without what looks like a secret."),
});

/** Tokens that were written to the context once, and read again by every later call until the next compaction. */
const carriedTokens = z.object({
  written: count.describe("Tokens that the context would have had less."),
  read: count.describe("The same tokens, once for each later call that read them again."),
  usd: z.number().nullable().describe("List price of both, where the model's price is known; else null."),
  unpriced: count.describe("Outputs of models without a known price, which are not in usd."),
});

/** The guard rules that would have fired in the past, and the tokens that smaller outputs would have saved. */
export const guardReplay = z.object({
  since: z.string().describe("ISO time from which on files count."),
  files: count,
  sessions: count,
  calls: count.describe("Tool calls that were judged."),
  leftOut: z.object({
    files: count.describe("Files that are compressed, of an old form, or cannot be read."),
    families: z.array(z.string()).describe("Families that cannot be judged afterwards."),
  }),
  rules: z.array(
    z.object({
      rule: z.string(),
      family: z.string(),
      action: z.string().describe("What the rule does where its family is on."),
      count,
      sessions: count,
      newest: z.array(pastHit).describe("The newest calls that it fires on."),
    }),
  ),
  outputs: z.object({
    total: carriedTokens.extend({ outputs: count }),
    byRule: z.array(carriedTokens.extend({ rule: z.string(), outputs: count })),
    how: z.string().describe("How tokens were estimated."),
  }),
});
export type GuardReplay = z.infer<typeof guardReplay>;
