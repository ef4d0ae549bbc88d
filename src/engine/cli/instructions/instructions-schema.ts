import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { lintKinds } from "../../instructions/lint.ts";

const count = z.int().check(z.nonnegative());

export const instructionsJson = z.object({
  schema: z.literal(1),
  project: described(z.string(), "The project's folder."),
  files: described(
    z.array(
      z.object({
        file: described(z.string(), "Absolute path."),
        kind: z.enum(["instructions", "rule", "agent", "skill", "recurring"]),
        tokens: described(count, "Estimated: of the whole file."),
        times: described(
          z.nullable(count),
          "Times it was read in the last 7 days; null while the ledger cannot tell.",
        ),
        per: described(z.enum(["sessions", "runs", "uses", "wakes"]), "What is counted."),
        findings: z.array(
          z.object({
            kind: z.enum(lintKinds),
            line: z.int().check(z.positive()),
            column: described(z.int().check(z.positive()), "In UTF-16 units."),
            message: sentenceSchema,
            remedy: sentenceSchema,
            tokens: described(count, "Estimated: what it takes each time the file is read."),
            tokensAWeek: described(z.nullable(count), "Estimated; null while the ledger cannot tell."),
          }),
        ),
      }),
    ),
    "The widest first, in the order in which a session gets them.",
  ),
});

export type InstructionsJson = z.infer<typeof instructionsJson>;
