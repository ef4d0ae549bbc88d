import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import type { SelectEnd } from "../../rules/selection.ts";
import { setDecisions } from "../../verdict/retention.ts";
import { receiptSchema } from "../../verdict/receipt.ts";

const end: z.ZodMiniType<SelectEnd> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("paused"), detail: sentenceSchema }),
  z.object({ kind: z.literal("cancelled") }),
  z.object({ kind: z.literal("cap"), left: z.int().check(z.nonnegative()) }),
]);

export const selectJson = z.object({
  schema: z.literal(1),
  end: end.check(
    z.describe(
      "How it ended; cap: what may be spent is spent, and so many rules were not looked at to the end.",
    ),
  ),
  tokensSpent: z.number().check(z.describe("Processing tokens.")),
  receipts: z
    .array(receiptSchema)
    .check(z.describe("One for each rule that was measured, as they are kept.")),
  set: z
    .optional(
      z.object({
        found: z.array(z.string()).check(z.describe("Ids of the rules that would become active.")),
        decision: z
          .nullable(z.enum(setDecisions))
          .check(z.describe("Null where too little could be spent to confirm them as a whole.")),
        receipt: z
          .nullable(receiptSchema)
          .check(z.describe("Of all rules that would be active, against no rules at all.")),
      }),
    )
    .check(
      z.describe("What the rules that were found do as a whole; absent where there were fewer than two."),
    ),
  part: z
    .optional(
      z.object({
        index: z.int().check(z.positive()),
        of: z.int().check(z.positive()),
        rounds: z
          .int()
          .check(z.positive(), z.describe("Rounds before the first look, of which this is a part.")),
        bench: z.string().check(z.describe("The bench's folder, for purser bench merge.")),
      }),
    )
    .check(
      z.describe("With --shard: the part that was made. Nothing is judged before all parts are joined."),
    ),
});
export type SelectJson = z.infer<typeof selectJson>;
