import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

const count = z.int().check(z.nonnegative());

export const ledgerJson = z
  .strictObject({
    schema: z.literal(1),
    exists: z.boolean(),
    source: described(
      z.nullable(z.enum(["service", "files"])),
      "Who tells: the service that runs, or the ledger's files; null when there is no ledger.",
    ),
    readOnly: described(z.nullable(sentenceSchema), "Why the service does not write to it, or null."),
    opening: described(z.array(sentenceSchema), "What opening it found that a person should know."),
    responses: described(z.nullable(count), "API responses in it, each counted once."),
    asOf: described(
      z.nullable(z.iso.datetime()),
      "What was in the transcripts up to then is in it; null when nobody knows.",
    ),
    files: described(
      z.nullable(count),
      "Transcripts that are read in the pass that runs; as many as `done` when none does.",
    ),
    done: described(z.nullable(count), "Those of them that have been read."),
    problems: described(
      z.array(z.strictObject({ path: z.string(), reason: sentenceSchema })),
      "What could not be read.",
    ),
    snapshotBytes: count,
    journalBytes: count,
    roots: described(z.array(z.string()), "Folders looked in."),
    home: described(z.string(), "The folder of what is purser's own."),
  })
  .check(z.meta({ title: "purser ledger status --json" }));
export type LedgerJson = z.infer<typeof ledgerJson>;

export const ledgerCheckJson = z
  .strictObject({
    schema: z.literal(1),
    faults: described(z.array(sentenceSchema), "What is wrong, in words; empty when all is well."),
  })
  .check(z.meta({ title: "purser ledger check --json" }));
export type LedgerCheckJson = z.infer<typeof ledgerCheckJson>;
