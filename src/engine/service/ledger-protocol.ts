import * as z from "zod";
import {
  freshness,
  ledgerFilter,
  overview,
  sessionPage,
  type Anomaly,
  type Freshness,
} from "../ledger/answers.ts";
import { ledgerGroupings } from "../ledger/usage-question.ts";
import { request, type NoticeKind } from "./protocol.ts";

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
export const usage = request("usage", {
  params: z.object({ by: z.enum(ledgerGroupings), ...ledgerFilter.shape }),
  answer: z.object({ report, places, zoneOffset: z.number(), ...known }),
});
export type UsageQuestion = z.infer<typeof usage.params>;
export type UsageAnswer = z.infer<typeof usage.answer>;

/** The ledger's first page. */
export const overviewOf = request("overview", {
  params: z.object({ filter: ledgerFilter }),
  answer: z.object({ overview, ...known }),
});

const folderCount = z.object({ cwd: z.string().nullable(), name: z.string(), count: z.number() });

/**
 * What the rent of instructions is reckoned with: what was used since a time, by folder, and how long a token is. Milliseconds since
 * the epoch.
 */
export const useCounts = request("useCounts", {
  params: z.object({ since: z.number() }),
  answer: z.object({
    sessions: z.array(folderCount).readonly(),
    subagents: z.array(folderCount).readonly(),
    skills: z.array(folderCount).readonly(),
    /** Characters of one token, in each of the newest requests the ledger knows. */
    charactersPerToken: z.array(z.number()).readonly(),
    ...known,
  }),
});
export type UseAnswer = z.infer<typeof useCounts.answer>;

/** Null when the ledger knows of no such session. */
export const sessionPageOf = request("sessionPage", {
  params: z.object({ id: z.string().max(1000) }),
  answer: z.object({ page: sessionPage.nullable(), ...known }),
});

/** Reads everything that is in the transcripts now. Answered when all of it is in the ledger. */
export const catchUp = request("catchUp", { params: nothing, answer: z.object(known) });

export const ledgerStatus = request("ledgerStatus", {
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
export const claimAnomaly = request("claimAnomaly", {
  params: z.object({ id: z.string().max(1000) }),
  answer: z.object({ isFirst: z.boolean() }),
});

/** What is wrong with the ledger, in words; nothing when all is well. */
export const checkLedger = request("checkLedger", {
  params: nothing,
  answer: z.object({ faults: z.array(z.string()) }),
});

const written = z.object({
  /** Of the file that was written. */
  bytes: z.number(),
  /** The number of the last entry in it. */
  applied: z.number(),
});
export const compactLedger = request("compactLedger", { params: nothing, answer: written });

/** Writes a copy to a file that must not be there yet, by its absolute path. */
export const backupLedger = request("backupLedger", {
  params: z.object({ file: z.string().min(1).max(4096) }),
  answer: written,
});
export type WrittenFile = z.infer<typeof written>;

/** There is something new in the ledger, or its knowledge reaches further. At most once a second. */
export const ledgerChanged: NoticeKind<{ freshness: Freshness }> = {
  method: "ledgerChanged",
  params: z.object(known),
};
/** Something out of the ordinary was found. Who wants to tell a person of it claims it first. */
export const anomalyFound: NoticeKind<Anomaly> = { method: "anomalyFound", params: anomaly };
