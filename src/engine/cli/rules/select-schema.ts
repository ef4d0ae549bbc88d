import { described, sentenceSchema } from "../../base/sentence-schema.ts";
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
  end: described(
    end,
    "How it ended; cap: what may be spent is spent, and so many rules were not looked at to the end.",
  ),
  tokensSpent: described(z.number(), "Processing tokens."),
  receipts: described(z.array(receiptSchema), "One for each rule that was measured, as they are kept."),
  set: described(
    z.optional(
      z.object({
        found: described(z.array(z.string()), "Ids of the rules that would become active."),
        decision: described(
          z.nullable(z.enum(setDecisions)),
          "Null where too little could be spent to confirm them as a whole.",
        ),
        receipt: described(
          z.nullable(receiptSchema),
          "Of all rules that would be active, against no rules at all.",
        ),
      }),
    ),
    "What the rules that were found do as a whole; absent where there were fewer than two.",
  ),
  part: described(
    z.optional(
      z.object({
        index: z.int().check(z.positive()),
        of: z.int().check(z.positive()),
        rounds: described(
          z.int().check(z.positive()),
          "Rounds before the first look, of which this is a part.",
        ),
        bench: described(z.string(), "The bench's folder, for purser bench merge."),
      }),
    ),
    "With --shard: the part that was made. Nothing is judged before all parts are joined.",
  ),
});
export type SelectJson = z.infer<typeof selectJson>;
