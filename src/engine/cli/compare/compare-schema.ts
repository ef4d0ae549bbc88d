import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { driverNames } from "../../bench/run-facts.ts";
import { sideSchema, verdictSchema } from "../../verdict/receipt.ts";
import { plannedInstall } from "../bench/bench-schema.ts";

const count = z.int().check(z.nonnegative());

export const compareJson = z
  .strictObject({
    schema: z.literal(1),
    command: z.enum(["compare model", "compare prompt", "compare setting", "ablate", "evolve"]),
    agent: z.string(),
    state: described(
      z.enum(["measured", "paused", "cancelled", "refused"]),
      "paused and cancelled: the same command goes on where it stopped. refused: the rewrite.",
    ),
    detail: described(z.nullable(sentenceSchema), "Why it is paused or refused."),
    exitCode: described(
      z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(130)]),
      "0 better, 1 not, 3 undecided, 130 interrupted.",
    ),
    plan: z.strictObject({
      driver: z.enum(driverNames),
      recordedBy: described(
        z.array(z.string()),
        "How recordings were made; script is no measurement of a model.",
      ),
      runs: described(count, "At most: it stops as soon as it is decided."),
      tokens: described(count, "Processing tokens of all of them."),
      usd: described(z.nullable(z.number()), "By list price; null where nobody knows."),
      source: z.enum(["official", "measured", "estimated", "unknown"]),
      because: sentenceSchema,
      tokenCap: z.nullable(z.number()),
      warnings: z.array(sentenceSchema),
      install: plannedInstall,
    }),
    sentence: described(
      z.nullable(sentenceSchema),
      "The verdict in one plain sentence; null where nothing was measured.",
    ),
    verdict: z.nullable(verdictSchema),
    sides: described(
      z.array(sideSchema),
      "As it is, and with the change; empty without a receipt. Figures are means over completed runs of tasks both finished.",
    ),
    arms: described(
      z.array(
        z.strictObject({
          title: sentenceSchema,
          sentence: described(z.nullable(sentenceSchema), "Null where it is not settled."),
          verdict: z.nullable(verdictSchema),
          sides: z.array(sideSchema),
          spent: described(
            z.nullable(z.strictObject({ tokens: z.number(), usd: z.nullable(z.number()) })),
            "Its own runs, and its part of the as-is runs.",
          ),
          receipt: z.nullable(z.string()),
          receiptText: z.nullable(z.string()),
        }),
      ),
      "Several changes that were compared with the same runs; empty for one. Then verdict is null and sides is empty.",
    ),
    files: z.strictObject({
      bench: described(z.nullable(z.string()), "The folder of the runs."),
      receipt: z.nullable(z.string()),
      receiptText: z.nullable(z.string()),
      proposal: described(z.nullable(z.string()), "A rewrite that won; nobody applies it but the user."),
    }),
  })
  .check(z.meta({ title: "purser compare --json" }));
export type CompareJson = z.infer<typeof compareJson>;
