import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import {
  compactionHead,
  contextFill,
  freshness,
  guardEffects,
  ledgerFilter,
  overview,
  sessionPage,
  sessionPlace,
  type Freshness,
} from "./ledger-answers.ts";
import { machineRequests } from "./machines/machine-requests.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "./questions/questions.ts";
import { wakeRow } from "./woken.ts";
import { why, whyQuestion } from "./why-answers.ts";
import { ledgerGroupings } from "./questions/use-counts.ts";
import { notice, request, type RequestKind } from "../protocol/serve.ts";
import type { GoldenBook } from "./rule-questions.ts";

const text = z.string();
const tokens = z.number();

const goldenBook: z.ZodMiniType<GoldenBook> = z.object({
  runs: z.array(
    z.object({
      agent: text,
      taskId: text,
      model: text,
      suiteHash: text,
      driver: text,
      configurationHash: text,
      processingTokens: tokens,
      cacheRead: tokens,
    }),
  ),
  baselines: z.array(
    z.object({
      agent: text,
      taskId: z.nullable(text),
      taskHash: text,
      model: text,
      suiteHash: text,
      driver: text,
      run1Tokens: tokens,
      bestTokens: tokens,
      at: z.nullable(z.number()),
    }),
  ),
  spent: z.object({ realWork: tokens, benches: tokens }),
});

/** Requests and notices about the ledger. */

const [sum, anomaly] = [overview.shape.totals, overview.shape.anomalies.def.element];

/** Part of every answer from the ledger: up to when its data is complete. */
const known = { freshness };
const nothing = z.object({});

const report = z.object({
  rows: z.readonly(
    z.array(z.object({ key: z.string(), model: z.string(), ...sum.shape, lastAt: z.nullable(z.number()) })),
  ),
  totals: sum,
  undated: z.number(),
});

/** The folders and files that are searched for transcripts; a client that needs others must read them itself. */
const places = z.array(z.string());

/** Sums by local days of the service; `zoneOffset` is how many minutes its time zone is currently behind UTC. */
const usage = request("usage", {
  params: z.object({ by: z.enum(ledgerGroupings), ...ledgerFilter.shape }),
  answer: z.object({ report, places, zoneOffset: z.number(), ...known }),
});
export type UsageQuestion = z.infer<typeof usage.params>;
export type UsageAnswer = z.infer<typeof usage.answer>;

const folderCount = z.object({ cwd: z.nullable(z.string()), name: z.string(), count: z.number() });

const useCounts = z.object({
  sessions: z.readonly(z.array(folderCount)),
  subagents: z.readonly(z.array(folderCount)),
  skills: z.readonly(z.array(folderCount)),
  charactersPerToken: z.readonly(z.array(z.number())),
  usdPerToken: z.nullable(z.number()),
});

const workSession = z.object({
  program: z.string(),
  cwd: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  firstAt: z.nullable(z.number()),
  promptChars: z.nullable(z.number()),
  completed: z.number(),
  meanLog: z.number(),
  squares: z.number(),
});

type QuestionKind<Name extends QuestionName> = RequestKind<
  { asked: QuestionParams<Name> },
  { answer: QuestionAnswer<Name>; freshness: Freshness },
  Name
>;

/** Exposes a question from the ledger's table to clients, unchanged. */
function question<Name extends QuestionName>(
  name: Name,
  {
    asked,
    answer,
  }: { asked: z.ZodMiniType<QuestionParams<Name>>; answer: z.ZodMiniType<QuestionAnswer<Name>> },
): QuestionKind<Name> {
  return request(name, { params: z.object({ asked }), answer: z.object({ answer, ...known }) });
}

/** Every question that clients may ask the ledger, by its name in `questions.ts`. To add one, add a row here. */
const questions = {
  overview: question("overview", { asked: ledgerFilter, answer: overview }),
  why: question("why", { asked: whyQuestion, answer: z.nullable(why) }),
  sessionPage: question("sessionPage", {
    asked: z.string().check(z.maxLength(1000)),
    answer: z.nullable(sessionPage),
  }),
  contextFill: question("contextFill", {
    asked: z.string().check(z.maxLength(1000)),
    answer: z.nullable(contextFill),
  }),
  sessionPlace: question("sessionPlace", {
    asked: z.string().check(z.maxLength(1000)),
    answer: z.nullable(sessionPlace),
  }),
  useCounts: question("useCounts", { asked: z.number(), answer: useCounts }),
  recentWork: question("recentWork", {
    asked: z.int().check(z.positive(), z.maximum(500)),
    answer: z.array(workSession),
  }),
  recentCompactions: question("recentCompactions", {
    asked: z.int().check(z.positive(), z.maximum(200)),
    answer: z.array(compactionHead),
  }),
  guardEffects: question("guardEffects", { asked: z.number(), answer: guardEffects }),
  goldenBook: question("goldenBook", { asked: z.number(), answer: goldenBook }),
  guardCounts: question("guardCounts", {
    asked: z.number(),
    answer: z.array(z.object({ rule: z.string(), count: z.number(), lastAt: z.nullable(z.number()) })),
  }),
  wakes: question("wakes", {
    asked: z.object({
      since: z.number(),
      project: z.nullable(z.string().check(z.maxLength(4096))),
      most: z.int().check(z.positive(), z.maximum(50_000)),
    }),
    answer: z.array(wakeRow),
  }),
};

/** Collects everything that is in the transcripts now. Answered when all of it is in the ledger. */
const catchUp = request("catchUp", { params: nothing, answer: z.object(known) });

const ledgerStatus = request("ledgerStatus", {
  params: nothing,
  answer: z.object({
    /** Why the ledger is read-only, or null. */
    readOnly: z.nullable(sentenceSchema),
    /** Messages about what was found on opening, one per thing that a person should know. */
    opening: z.array(sentenceSchema),
    responses: z.number(),
    places,
    ...known,
  }),
});
export type LedgerStatus = z.infer<typeof ledgerStatus.answer>;

/** Claims an anomaly: only the first client may show it to a person. */
const claimAnomaly = request("claimAnomaly", {
  params: z.object({ id: z.string().check(z.maxLength(1000)) }),
  answer: z.object({ isFirst: z.boolean() }),
});

/** Faults of the ledger, in words; empty when all is well. */
const checkLedger = request("checkLedger", {
  params: nothing,
  answer: z.object({ faults: z.array(z.string()) }),
});

const written = z.object({
  bytes: z.number(),
  /** Number of the last entry in it. */
  applied: z.number(),
});
const compactLedger = request("compactLedger", { params: nothing, answer: written });

/** Writes a copy to an absolute path where no file exists yet. */
const backupLedger = request("backupLedger", {
  params: z.object({ file: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  answer: written,
});
export type WrittenFile = z.infer<typeof written>;

export type LedgerQuestion = keyof typeof questions;
export const ledgerQuestions: { readonly [Name in LedgerQuestion]: QuestionKind<Name> } = questions;

export const ledgerRequests = {
  ...ledgerQuestions,
  usage,
  catchUp,
  ledgerStatus,
  claimAnomaly,
  checkLedger,
  compactLedger,
  backupLedger,
  ...machineRequests,
};

/** The ledger has new data, or is complete up to a later time. At most once a second. */
const ledgerChanged = notice("ledgerChanged", z.object(known));
/** An anomaly was found. A client claims it before showing it to a person. */
const anomalyFound = notice("anomalyFound", anomaly);

export const ledgerNotices = { ledgerChanged, anomalyFound };
