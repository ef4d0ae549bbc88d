import * as z from "zod";
import { lintKinds } from "../../instructions/lint/found-text.ts";

const count = z.int().nonnegative();

/** Output of `purser instructions --json`. Members may be added; any other change changes `schema`. */
export const instructionsJson = z.object({
  schema: z.literal(1),
  project: z.string().describe("The project's folder."),
  files: z
    .array(
      z.object({
        file: z.string().describe("Absolute path."),
        kind: z.enum(["instructions", "rule", "agent", "skill", "recurring"]),
        tokens: count.describe("Estimated: of the whole file."),
        times: count
          .nullable()
          .describe("Times it was read in the last 7 days; null while the ledger cannot tell."),
        per: z.enum(["sessions", "runs", "uses", "wakes"]).describe("What is counted."),
        findings: z.array(
          z.object({
            kind: z.enum(lintKinds),
            line: z.int().positive(),
            column: z.int().positive().describe("In UTF-16 units."),
            message: z.string(),
            remedy: z.string(),
            tokens: count.describe("Estimated: what it takes each time the file is read."),
            tokensAWeek: count.nullable().describe("Estimated; null while the ledger cannot tell."),
          }),
        ),
      }),
    )
    .describe("The widest first, in the order in which a session gets them."),
});

export type InstructionsJson = z.infer<typeof instructionsJson>;
