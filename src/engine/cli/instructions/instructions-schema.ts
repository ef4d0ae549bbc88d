import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { lintKinds } from "../../instructions/lint.ts";

const count = z.int().check(z.nonnegative());

export const instructionsJson = z.object({
  schema: z.literal(1),
  project: z.string().check(z.describe("The project's folder.")),
  files: z
    .array(
      z.object({
        file: z.string().check(z.describe("Absolute path.")),
        kind: z.enum(["instructions", "rule", "agent", "skill", "recurring"]),
        tokens: count.check(z.describe("Estimated: of the whole file.")),
        times: z
          .nullable(count)
          .check(z.describe("Times it was read in the last 7 days; null while the ledger cannot tell.")),
        per: z.enum(["sessions", "runs", "uses", "wakes"]).check(z.describe("What is counted.")),
        findings: z.array(
          z.object({
            kind: z.enum(lintKinds),
            line: z.int().check(z.positive()),
            column: z.int().check(z.positive(), z.describe("In UTF-16 units.")),
            message: sentenceSchema,
            remedy: sentenceSchema,
            tokens: count.check(z.describe("Estimated: what it takes each time the file is read.")),
            tokensAWeek: z.nullable(count).check(z.describe("Estimated; null while the ledger cannot tell.")),
          }),
        ),
      }),
    )
    .check(z.describe("The widest first, in the order in which a session gets them.")),
});

export type InstructionsJson = z.infer<typeof instructionsJson>;
