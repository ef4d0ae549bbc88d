import * as z from "zod";
import type { SelectEnd } from "../../rules/rules-selection.ts";
import { setDecisions } from "../../verdict/retention.ts";
import { receiptSchema } from "../../verdict/receipt/receipt.ts";

const end: z.ZodType<SelectEnd> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("paused"), detail: z.string() }),
  z.object({ kind: z.literal("cancelled") }),
  z.object({ kind: z.literal("cap"), left: z.int().nonnegative() }),
]);

/** Output of `purser select --json`. Members may be added; any other change changes `schema`. */
export const selectJson = z.object({
  schema: z.literal(1),
  end: end.describe(
    "How it ended; cap: what may be spent is spent, and so many rules were not looked at to the end.",
  ),
  tokensSpent: z.number().describe("Processing tokens."),
  receipts: z.array(receiptSchema).describe("One for each rule that was measured, as they are kept."),
  set: z
    .object({
      found: z.array(z.string()).describe("Ids of the rules that would become active."),
      decision: z
        .enum(setDecisions)
        .nullable()
        .describe("Null where too little could be spent to confirm them as a whole."),
      receipt: receiptSchema
        .nullable()
        .describe("Of all rules that would be active, against no rules at all."),
    })
    .optional()
    .describe("What the rules that were found do as a whole; absent where there were fewer than two."),
  part: z
    .object({
      index: z.int().positive(),
      of: z.int().positive(),
      rounds: z.int().positive().describe("Rounds before the first look, of which this is a part."),
      bench: z.string().describe("The bench's folder, for purser bench merge."),
    })
    .optional()
    .describe("With --shard: the part that was made. Nothing is judged before all parts are joined."),
});
export type SelectJson = z.infer<typeof selectJson>;
