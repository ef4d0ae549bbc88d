import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { ledgerGroupings } from "../../ledger/questions.ts";
import { agents } from "../../transcripts/agents.ts";

const tokens = z.int().check(z.nonnegative());
const sums = {
  input: described(tokens, "Tokens sent that neither came from the cache nor went into it."),
  output: described(tokens, "Tokens answered."),
  cacheCreation: described(tokens, "Tokens written to the cache, for 5 minutes or an hour."),
  cacheRead: described(tokens, "Tokens read from the cache."),
  usd: described(
    z.nullable(z.number().check(z.nonnegative())),
    "Cost at list prices in US dollars; null when no price is known. A lower bound when `unpriced` is above 0.",
  ),
  provenance: described(
    z.enum(["estimated", "unknown"]),
    "Where `usd` comes from: modelled from list prices, or nobody knows. Tokens are counted, not modelled.",
  ),
  responses: described(tokens, "API responses, each counted once."),
  unpriced: described(tokens, "Responses that nobody knows the price of."),
  standardTier: described(
    tokens,
    "Responses of another service tier, without a list price: `usd` has the list price of the standard tier for them.",
  ),
};

export const usageJson = z
  .strictObject({
    schema: z.literal(1),
    by: z.enum(ledgerGroupings),
    since: described(z.nullable(z.iso.date()), "First local calendar day counted; null is no limit."),
    until: described(z.nullable(z.iso.date()), "Last local calendar day counted; null is no limit."),
    project: described(z.nullable(z.string()), "The folder responses were made in; null is no limit."),
    agent: described(
      z.nullable(z.enum(agents.map(({ name }) => name))),
      "The coding agent; null is no limit.",
    ),
    source: described(z.enum(["ledger", "transcripts"]), "Who answered: the service's ledger, or the files."),
    asOf: described(
      z.nullable(z.iso.datetime()),
      "What was written up to then is counted; null when nobody knows.",
    ),
    rows: z.array(
      z.strictObject({
        key: described(
          z.string(),
          "The local calendar day, session id, folder, model or whatever `by` says; `unknown` when not told.",
        ),
        model: z.string(),
        ...sums,
      }),
    ),
    totals: z.strictObject(sums),
    undated: described(
      tokens,
      "Responses left out because a limit was given and they have no readable time.",
    ),
    skipped: described(
      z.nullable(
        z.strictObject({
          synthetic: described(tokens, "Answers the agent made up itself, such as errors."),
          unidentified: described(tokens, "Responses without any id, which cannot be counted once."),
          byRow: described(
            tokens,
            "Not left out: responses without an id, each counted once by the id of its row.",
          ),
          malformed: described(tokens, "Rows that are cut off, or hold a figure that is none."),
          oversized: described(tokens, "Rows longer than 64 MiB."),
        }),
      ),
      "Rows left out, by why; null where it is not known, as in the ledger.",
    ),
    problems: described(
      z.array(z.strictObject({ path: z.string(), reason: sentenceSchema })),
      "What could not be read.",
    ),
    files: described(
      z.nullable(tokens),
      "Transcripts read; null from the ledger, which also knows of those that are gone.",
    ),
    withoutLedger: described(
      z.nullable(sentenceSchema),
      "Why the ledger was not asked, so that deleted transcripts are missing; null when it was asked, or there is none.",
    ),
    roots: described(z.array(z.string()), "Folders looked in."),
  })
  .check(z.meta({ title: "purser usage --json" }));

export type UsageJson = z.infer<typeof usageJson>;
