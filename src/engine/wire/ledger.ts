import * as z from "zod";
import { freshness, ledgerFilter, overview, sessionPage, type Freshness } from "../ledger/answers.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "../ledger/questions/questions.ts";
import { ledgerGroupings } from "../ledger/questions/usage.ts";
import { goldenBook, goldenRequests } from "./golden.ts";
import { notice, request, type RequestKind } from "../rpc/request.ts";

/** What clients and the service say to each other of the ledger. */

const [sum, anomaly] = [overview.shape.totals, overview.shape.anomalies.element];

/** Every answer from the ledger says how far its knowledge reaches. */
const known = { freshness };
const nothing = z.object({});

const report = z.object({
  rows: z
    .array(z.object({ key: z.string(), model: z.string(), ...sum.shape, lastAt: z.number().nullable() }))
    .readonly(),
  totals: sum,
  undated: z.number(),
});

/** The folders and files all agents' transcripts are looked for in: who looks elsewhere must read for itself. */
const places = z.array(z.string());

/** Sums by the local days of the service, whose time zone is so many minutes behind UTC now. */
const usage = request("usage", {
  params: z.object({ by: z.enum(ledgerGroupings), ...ledgerFilter.shape }),
  answer: z.object({ report, places, zoneOffset: z.number(), ...known }),
});
export type UsageQuestion = z.infer<typeof usage.params>;
export type UsageAnswer = z.infer<typeof usage.answer>;

const folderCount = z.object({ cwd: z.string().nullable(), name: z.string(), count: z.number() });

const useCounts = z.object({
  sessions: z.array(folderCount).readonly(),
  subagents: z.array(folderCount).readonly(),
  skills: z.array(folderCount).readonly(),
  charactersPerToken: z.array(z.number()).readonly(),
});

type QuestionKind<Name extends QuestionName> = RequestKind<
  { asked: QuestionParams<Name> },
  { answer: QuestionAnswer<Name>; freshness: Freshness },
  Name
>;

/** A question of the ledger's table that clients may ask, as it stands there. */
function question<Name extends QuestionName>(
  name: Name,
  { asked, answer }: { asked: z.ZodType<QuestionParams<Name>>; answer: z.ZodType<QuestionAnswer<Name>> },
): QuestionKind<Name> {
  return request(name, { params: z.object({ asked }), answer: z.object({ answer, ...known }) });
}

/** Every question that clients may ask the ledger, by its name in `questions.ts`. A new one is a row here. */
const questions = {
  overview: question("overview", { asked: ledgerFilter, answer: overview }),
  sessionPage: question("sessionPage", { asked: z.string().max(1000), answer: sessionPage.nullable() }),
  useCounts: question("useCounts", { asked: z.number(), answer: useCounts }),
  goldenBook: question("goldenBook", { asked: z.number(), answer: goldenBook }),
};

/** Reads everything that is in the transcripts now. Answered when all of it is in the ledger. */
const catchUp = request("catchUp", { params: nothing, answer: z.object(known) });

const ledgerStatus = request("ledgerStatus", {
  params: nothing,
  answer: z.object({
    /** Why nothing is written to it, or null. */
    readOnly: z.string().nullable(),
    /** What opening it found, a line for each thing a person should know. */
    opening: z.array(z.string()),
    /** Responses in it, each counted once. */
    responses: z.number(),
    places,
    ...known,
  }),
});
export type LedgerStatus = z.infer<typeof ledgerStatus.answer>;

/** Who is first may tell a person; nobody tells it again. */
const claimAnomaly = request("claimAnomaly", {
  params: z.object({ id: z.string().max(1000) }),
  answer: z.object({ isFirst: z.boolean() }),
});

/** What is wrong with the ledger, in words; nothing when all is well. */
const checkLedger = request("checkLedger", {
  params: nothing,
  answer: z.object({ faults: z.array(z.string()) }),
});

const written = z.object({
  /** Of the file that was written. */
  bytes: z.number(),
  /** The number of the last entry in it. */
  applied: z.number(),
});
const compactLedger = request("compactLedger", { params: nothing, answer: written });

/** Writes a copy to a file that must not be there yet, by its absolute path. */
const backupLedger = request("backupLedger", {
  params: z.object({ file: z.string().min(1).max(4096) }),
  answer: written,
});
export type WrittenFile = z.infer<typeof written>;

export type LedgerQuestion = keyof typeof questions;
export const ledgerQuestions: { readonly [Name in LedgerQuestion]: QuestionKind<Name> } = questions;

export const ledgerRequests = {
  ...ledgerQuestions,
  ...goldenRequests,
  usage,
  catchUp,
  ledgerStatus,
  claimAnomaly,
  checkLedger,
  compactLedger,
  backupLedger,
};

/** There is something new in the ledger, or its knowledge reaches further. At most once a second. */
const ledgerChanged = notice("ledgerChanged", z.object(known));
/** Something out of the ordinary was found. Who wants to tell a person of it claims it first. */
const anomalyFound = notice("anomalyFound", anomaly);

export const ledgerNotices = { ledgerChanged, anomalyFound };
