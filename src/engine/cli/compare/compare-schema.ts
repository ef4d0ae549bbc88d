import * as z from "zod";
import { driverNames } from "../../bench/run-facts.ts";
import { sideSchema, verdictSchema } from "../../verdict/receipt/receipt.ts";
import { plannedInstall } from "../bench/bench-schema.ts";

const count = z.int().nonnegative();

/** Output of `purser compare`, `ablate` and `evolve` with `--json`. Members may be added; any other change changes `schema`. */
export const compareJson = z
  .strictObject({
    schema: z.literal(1),
    command: z.enum(["compare model", "compare prompt", "compare setting", "ablate", "evolve"]),
    agent: z.string(),
    state: z
      .enum(["measured", "paused", "cancelled", "refused"])
      .describe("paused and cancelled: the same command goes on where it stopped. refused: the rewrite."),
    detail: z.string().nullable().describe("Why it is paused or refused."),
    exitCode: z
      .union([z.literal(0), z.literal(1), z.literal(3), z.literal(130)])
      .describe("0 better, 1 not, 3 undecided, 130 interrupted."),
    plan: z.strictObject({
      driver: z.enum(driverNames),
      recordedBy: z
        .array(z.string())
        .describe("How recordings were made; script is no measurement of a model."),
      runs: count.describe("At most: it stops as soon as it is decided."),
      tokens: count.describe("Processing tokens of all of them."),
      usd: z.number().nullable().describe("By list price; null where nobody knows."),
      source: z.enum(["official", "measured", "estimated", "unknown"]),
      because: z.string(),
      tokenCap: z.number().nullable(),
      warnings: z.array(z.string()),
      install: plannedInstall,
    }),
    sentence: z
      .string()
      .nullable()
      .describe("The verdict in one plain sentence; null where nothing was measured."),
    verdict: verdictSchema.nullable(),
    sides: z
      .array(sideSchema)
      .describe(
        "As it is, and with the change; empty without a receipt. Figures are means over completed runs of tasks both finished.",
      ),
    arms: z
      .array(
        z.strictObject({
          title: z.string(),
          sentence: z.string().nullable().describe("Null where it is not settled."),
          verdict: verdictSchema.nullable(),
          sides: z.array(sideSchema),
          spent: z
            .strictObject({ tokens: z.number(), usd: z.number().nullable() })
            .nullable()
            .describe("Its own runs, and its part of the as-is runs."),
          receipt: z.string().nullable(),
          receiptText: z.string().nullable(),
        }),
      )
      .describe(
        "Several changes that were compared with the same runs; empty for one. Then verdict is null and sides is empty.",
      ),
    files: z.strictObject({
      bench: z.string().nullable().describe("The folder of the runs."),
      receipt: z.string().nullable(),
      receiptText: z.string().nullable(),
      proposal: z.string().nullable().describe("A rewrite that won; nobody applies it but the user."),
    }),
  })
  .meta({ title: "purser compare --json" });
export type CompareJson = z.infer<typeof compareJson>;
