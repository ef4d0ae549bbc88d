import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

const count = z.int().check(z.nonnegative());

export const ledgerJson = z
  .strictObject({
    schema: z.literal(1),
    exists: z.boolean(),
    source: z
      .nullable(z.enum(["service", "files"]))
      .check(
        z.describe("Who tells: the service that runs, or the ledger's files; null when there is no ledger."),
      ),
    readOnly: z.nullable(sentenceSchema).check(z.describe("Why the service does not write to it, or null.")),
    opening: z.array(sentenceSchema).check(z.describe("What opening it found that a person should know.")),
    responses: z.nullable(count).check(z.describe("API responses in it, each counted once.")),
    asOf: z
      .nullable(z.iso.datetime())
      .check(z.describe("What was in the transcripts up to then is in it; null when nobody knows.")),
    files: z
      .nullable(count)
      .check(
        z.describe("Transcripts that are read in the pass that runs; as many as `done` when none does."),
      ),
    done: z.nullable(count).check(z.describe("Those of them that have been read.")),
    problems: z
      .array(z.strictObject({ path: z.string(), reason: sentenceSchema }))
      .check(z.describe("What could not be read.")),
    snapshotBytes: count,
    journalBytes: count,
    roots: z.array(z.string()).check(z.describe("Folders looked in.")),
    home: z.string().check(z.describe("The folder of what is purser's own.")),
  })
  .check(z.meta({ title: "purser ledger status --json" }));
export type LedgerJson = z.infer<typeof ledgerJson>;

export const ledgerCheckJson = z
  .strictObject({
    schema: z.literal(1),
    faults: z.array(sentenceSchema).check(z.describe("What is wrong, in words; empty when all is well.")),
  })
  .check(z.meta({ title: "purser ledger check --json" }));
export type LedgerCheckJson = z.infer<typeof ledgerCheckJson>;
