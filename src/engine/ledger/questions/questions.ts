import { selectAnomalies, type AnomalyQuery } from "../anomalies/queries.ts";
import type { LedgerFilter } from "../answers.ts";
import type { Database } from "../store/database.ts";
import { selectGoldenBook } from "./golden-book.ts";
import { selectHookProfile } from "./hook-profile.ts";
import type { LedgerBasis } from "../basis.ts";
import { overviewOf } from "./overview.ts";
import {
  selectPosition,
  selectPositions,
  selectReadFiles,
  selectRecentRuns,
  selectRecentTokens,
  selectResponses,
  selectSessions,
  selectThresholds,
  type RunsAsked,
  type SessionFilter,
} from "./queries.ts";
import { selectReportFacts } from "./report-facts.ts";
import { selectRealRuns, selectReceipt, selectRentFacts, selectRuleBook } from "./rule-book.ts";
import { sessionPageOf } from "./session-page.ts";
import { selectSessionFolders, selectSpent, type SpentAsked, type SpentWatch } from "./spent-tokens.ts";
import type { UsageQuery } from "./usage.ts";
import type { UsageRollup } from "../sums/usage-rollup.ts";
import { selectUseCounts } from "./use-counts.ts";

/** The sources a question reads. */
export interface QuestionContext {
  readonly db: Database;
  readonly rollup: UsageRollup;
  readonly spent: SpentWatch;
  readonly basis: LedgerBasis;
}

/**
 * Every question to the ledger: its name, what is asked, and its answer, which is read at once. A new one is a row here; the thread, the
 * service and tests ask it by its name. Nothing here changes the ledger's truth. Times are milliseconds since the epoch.
 */
const questions = {
  /**
   * The same report as `aggregateUsage` makes of all responses counted once; by tool, skill or server, what each one's calls were of
   * them.
   */
  usage: ({ rollup, basis }: QuestionContext, query: UsageQuery) => rollup.report(query, basis),
  overview: (context: QuestionContext, filter: LedgerFilter) => overviewOf(context, filter),
  /** Null when the ledger knows no such session. */
  sessionPage: ({ db, basis }: QuestionContext, id: string) => sessionPageOf(db, basis, id),
  /** The newest first. */
  anomalies: ({ db }: QuestionContext, query: AnomalyQuery) => selectAnomalies(db, query),
  /** The most recently active first. */
  sessions: ({ db }: QuestionContext, filter: SessionFilter) => selectSessions(db, filter),
  /** A session's counted responses, its subagents' among them, in the order of their times. */
  responses: ({ db }: QuestionContext, sessionId: string) => selectResponses(db, sessionId),
  learnedThresholds: ({ db, basis }: QuestionContext) => selectThresholds(db, basis.catalogue),
  /** How far transcripts have been read, by path, without what their readers remember. */
  positions: ({ db }: QuestionContext) => selectPositions(db),
  /** How far a transcript has been read, and what its reader remembers; null when it was not. */
  position: ({ db }: QuestionContext, path: string) => selectPosition(db, path),
  /** Size and time of each transcript when it was last read, by path. */
  readFiles: ({ db }: QuestionContext) => selectReadFiles(db),
  recentRuns: ({ db }: QuestionContext, agent: string) => selectRecentRuns(db, agent),
  /** Of an agent's last completed runs of real work, the newest first: 50 at most. Processing tokens. */
  recentTokens: ({ db }: QuestionContext, asked: RunsAsked) => selectRecentTokens(db, asked),
  /**
   * What sessions used that changed since this was last asked, at first since the ledger was opened: each session whole. Whoever asks must
   * keep the answer until it is of no more use. Asked with a time: what was used before it is told in one sum, not by local day.
   */
  takeSpent: ({ spent, basis }: QuestionContext, since: number) => spent.take(since, basis.dayOf),
  /** What the sessions that began in some folders used, each session whole. */
  spentIn: ({ db, basis }: QuestionContext, asked: SpentAsked) => selectSpent(db, asked, basis.dayOf),
  /** The folders that sessions began in. */
  sessionFolders: ({ db }: QuestionContext) => selectSessionFolders(db),
  /** Rules, what happened to them, their receipts and compiled memories. */
  ruleBook: ({ db }: QuestionContext) => selectRuleBook(db),
  /** A receipt's JSON, or null where there is none. */
  receipt: ({ db }: QuestionContext, id: string) => selectReceipt(db, id),
  /** So many of an agent at most; a project is null for all. */
  realRuns: ({ db }: QuestionContext, { most, project }: { most: number; project: string | null }) =>
    selectRealRuns(db, most, project),
  rentFacts: ({ db }: QuestionContext) => selectRentFacts(db),
  /** What the rent of instructions is reckoned with: sessions, subagents and uses of skills by folder, since a time. */
  useCounts: ({ db }: QuestionContext, since: number) => ({
    ...selectUseCounts(db, since),
    /** Characters of one token, in each of the newest requests the ledger knows. */
    charactersPerToken: selectRentFacts(db).charactersPerToken,
  }),
  /** Golden tasks' runs and baselines, and what was spent since a time. */
  goldenBook: ({ db }: QuestionContext, since: number) => selectGoldenBook(db, since),
  /** How suites stand, open questions, and what was spent since a time. */
  reportFacts: ({ db }: QuestionContext, since: number) => selectReportFacts(db, since),
  /** What purser's own hooks took since a time. */
  hookProfile: ({ db }: QuestionContext, since: number) => selectHookProfile(db, since),
};

type Questions = typeof questions;
export type QuestionName = keyof Questions;
/** What a question is asked with; null where it asks about everything. */
export type QuestionParams<Name extends QuestionName> = Questions[Name] extends (
  context: QuestionContext,
  params: infer Params,
) => unknown
  ? unknown extends Params
    ? null
    : Params
  : never;
export type QuestionAnswer<Name extends QuestionName> = ReturnType<Questions[Name]>;

const table: {
  readonly [Name in QuestionName]: (
    context: QuestionContext,
    asked: QuestionParams<Name>,
  ) => QuestionAnswer<Name>;
} = questions;

export function answerQuestion<Name extends QuestionName>(
  name: Name,
  asked: QuestionParams<Name>,
  context: QuestionContext,
): QuestionAnswer<Name> {
  return table[name](context, asked);
}
