import * as z from "zod";

const count = z.int().nonnegative();

/** Output of `purser ledger status --json`. Members may be added; any other change changes `schema`. */
export const ledgerJson = z
  .strictObject({
    schema: z.literal(1),
    exists: z.boolean(),
    source: z
      .enum(["service", "files"])
      .nullable()
      .describe("Who tells: the service that runs, or the ledger's files; null when there is no ledger."),
    readOnly: z.string().nullable().describe("Why the service does not write to it, or null."),
    opening: z.array(z.string()).describe("What opening it found that a person should know."),
    responses: count.nullable().describe("API responses in it, each counted once."),
    asOf: z.iso
      .datetime()
      .nullable()
      .describe("What was in the transcripts up to then is in it; null when nobody knows."),
    files: count
      .nullable()
      .describe("Transcripts that are read in the pass that runs; as many as `done` when none does."),
    done: count.nullable().describe("Those of them that have been read."),
    problems: z
      .array(z.strictObject({ path: z.string(), reason: z.string() }))
      .describe("What could not be read."),
    snapshotBytes: count,
    journalBytes: count,
    roots: z.array(z.string()).describe("Folders looked in."),
    home: z.string().describe("The folder of what is purser's own."),
  })
  .meta({ title: "purser ledger status --json" });
export type LedgerJson = z.infer<typeof ledgerJson>;

/** Output of `purser ledger check --json`. */
export const ledgerCheckJson = z
  .strictObject({
    schema: z.literal(1),
    faults: z.array(z.string()).describe("What is wrong, in words; empty when all is well."),
  })
  .meta({ title: "purser ledger check --json" });
export type LedgerCheckJson = z.infer<typeof ledgerCheckJson>;
