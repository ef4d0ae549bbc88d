import { sentenceSchema } from "../../base/sentence-schema.ts";
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
    state: z
      .enum(["measured", "paused", "cancelled", "refused"])
      .check(
        z.describe("paused and cancelled: the same command goes on where it stopped. refused: the rewrite."),
      ),
    detail: z.nullable(sentenceSchema).check(z.describe("Why it is paused or refused.")),
    exitCode: z
      .union([z.literal(0), z.literal(1), z.literal(3), z.literal(130)])
      .check(z.describe("0 better, 1 not, 3 undecided, 130 interrupted.")),
    plan: z.strictObject({
      driver: z.enum(driverNames),
      recordedBy: z
        .array(z.string())
        .check(z.describe("How recordings were made; script is no measurement of a model.")),
      runs: count.check(z.describe("At most: it stops as soon as it is decided.")),
      tokens: count.check(z.describe("Processing tokens of all of them.")),
      usd: z.nullable(z.number()).check(z.describe("By list price; null where nobody knows.")),
      source: z.enum(["official", "measured", "estimated", "unknown"]),
      because: sentenceSchema,
      tokenCap: z.nullable(z.number()),
      warnings: z.array(sentenceSchema),
      install: plannedInstall,
    }),
    sentence: z
      .nullable(sentenceSchema)
      .check(z.describe("The verdict in one plain sentence; null where nothing was measured.")),
    verdict: z.nullable(verdictSchema),
    sides: z
      .array(sideSchema)
      .check(
        z.describe(
          "As it is, and with the change; empty without a receipt. Figures are means over completed runs of tasks both finished.",
        ),
      ),
    arms: z
      .array(
        z.strictObject({
          title: sentenceSchema,
          sentence: z.nullable(sentenceSchema).check(z.describe("Null where it is not settled.")),
          verdict: z.nullable(verdictSchema),
          sides: z.array(sideSchema),
          spent: z
            .nullable(z.strictObject({ tokens: z.number(), usd: z.nullable(z.number()) }))
            .check(z.describe("Its own runs, and its part of the as-is runs.")),
          receipt: z.nullable(z.string()),
          receiptText: z.nullable(z.string()),
        }),
      )
      .check(
        z.describe(
          "Several changes that were compared with the same runs; empty for one. Then verdict is null and sides is empty.",
        ),
      ),
    files: z.strictObject({
      bench: z.nullable(z.string()).check(z.describe("The folder of the runs.")),
      receipt: z.nullable(z.string()),
      receiptText: z.nullable(z.string()),
      proposal: z
        .nullable(z.string())
        .check(z.describe("A rewrite that won; nobody applies it but the user.")),
    }),
  })
  .check(z.meta({ title: "purser compare --json" }));
export type CompareJson = z.infer<typeof compareJson>;
