import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { ledgerGroupings } from "../../ledger/questions.ts";
import { agents } from "../../transcripts/agents.ts";

const tokens = z.int().check(z.nonnegative());
const sums = {
  input: tokens.check(z.describe("Tokens sent that neither came from the cache nor went into it.")),
  output: tokens.check(z.describe("Tokens answered.")),
  cacheCreation: tokens.check(z.describe("Tokens written to the cache, for 5 minutes or an hour.")),
  cacheRead: tokens.check(z.describe("Tokens read from the cache.")),
  usd: z
    .nullable(z.number().check(z.nonnegative()))
    .check(
      z.describe(
        "Cost at list prices in US dollars; null when no price is known. A lower bound when `unpriced` is above 0.",
      ),
    ),
  provenance: z
    .enum(["estimated", "unknown"])
    .check(
      z.describe(
        "Where `usd` comes from: modelled from list prices, or nobody knows. Tokens are counted, not modelled.",
      ),
    ),
  responses: tokens.check(z.describe("API responses, each counted once.")),
  unpriced: tokens.check(z.describe("Responses that nobody knows the price of.")),
  standardTier: tokens.check(
    z.describe(
      "Responses of another service tier, without a list price: `usd` has the list price of the standard tier for them.",
    ),
  ),
};

export const usageJson = z
  .strictObject({
    schema: z.literal(1),
    by: z.enum(ledgerGroupings),
    since: z.nullable(z.iso.date()).check(z.describe("First local calendar day counted; null is no limit.")),
    until: z.nullable(z.iso.date()).check(z.describe("Last local calendar day counted; null is no limit.")),
    project: z.nullable(z.string()).check(z.describe("The folder responses were made in; null is no limit.")),
    agent: z
      .nullable(z.enum(agents.map(({ name }) => name)))
      .check(z.describe("The coding agent; null is no limit.")),
    source: z
      .enum(["ledger", "transcripts"])
      .check(z.describe("Who answered: the service's ledger, or the files.")),
    asOf: z
      .nullable(z.iso.datetime())
      .check(z.describe("What was written up to then is counted; null when nobody knows.")),
    rows: z.array(
      z.strictObject({
        key: z
          .string()
          .check(
            z.describe(
              "The local calendar day, session id, folder, model or whatever `by` says; `unknown` when not told.",
            ),
          ),
        model: z.string(),
        ...sums,
      }),
    ),
    totals: z.strictObject(sums),
    undated: tokens.check(
      z.describe("Responses left out because a limit was given and they have no readable time."),
    ),
    skipped: z
      .nullable(
        z.strictObject({
          synthetic: tokens.check(z.describe("Answers the agent made up itself, such as errors.")),
          unidentified: tokens.check(z.describe("Responses without any id, which cannot be counted once.")),
          byRow: tokens.check(
            z.describe("Not left out: responses without an id, each counted once by the id of its row."),
          ),
          malformed: tokens.check(z.describe("Rows that are cut off, or hold a figure that is none.")),
          oversized: tokens.check(z.describe("Rows longer than 64 MiB.")),
        }),
      )
      .check(z.describe("Rows left out, by why; null where it is not known, as in the ledger.")),
    problems: z
      .array(z.strictObject({ path: z.string(), reason: sentenceSchema }))
      .check(z.describe("What could not be read.")),
    files: z
      .nullable(tokens)
      .check(z.describe("Transcripts read; null from the ledger, which also knows of those that are gone.")),
    withoutLedger: z
      .nullable(sentenceSchema)
      .check(
        z.describe(
          "Why the ledger was not asked, so that deleted transcripts are missing; null when it was asked, or there is none.",
        ),
      ),
    roots: z.array(z.string()).check(z.describe("Folders looked in.")),
  })
  .check(z.meta({ title: "purser usage --json" }));

export type UsageJson = z.infer<typeof usageJson>;
