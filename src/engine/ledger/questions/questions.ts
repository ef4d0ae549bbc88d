import { selectAnomalies, type AnomalyQuery } from "../anomalies/queries.ts";
import type { LedgerFilter } from "../ledger-answers.ts";
import type { StoredWorkQuery } from "../../sessions/live.ts";
import type { Database } from "../store/database.ts";
import {
  selectCompactionDiffs,
  selectRecentCompactions,
  selectNewestPackets,
  selectPacket,
  type PacketPlace,
  selectSessionOrigin,
  selectSessionsNamed,
  selectStoredScorecard,
  selectWakes,
  type WakesQuery,
} from "./continuity-rows.ts";
import { selectReportFacts, selectRecentWork, selectGoldenBook } from "../rule-questions.ts";
import { selectGuardBook, selectGuardCounts, selectGuardEffects } from "./guard-book.ts";
import {
  type OrdinaryWorkQuery,
  selectOrdinaryWork,
  selectHandovers,
  type HandoverQuery,
  selectSessionFigures,
} from "../continuity-questions.ts";
import { selectSavedOutputs } from "./saved-outputs.ts";
import { selectHookProfile } from "./hook-profile.ts";
import { selectLastHooks, selectUseCounts, type UsageQuery } from "./use-counts.ts";
import {
  selectLearnedBook,
  selectFactsStamps,
  selectLearnCursors,
  selectLearnedSessions,
  selectSessionFacts,
  selectPhaseOutcomes,
} from "./learned-book.ts";
import { selectSentTexts } from "../learned.ts";
import type { LedgerBasis } from "../basis.ts";
import { selectMachines } from "../machines/machine-names.ts";
import { enteringPrice, overviewOf } from "./overview.ts";
import {
  selectPosition,
  selectPositions,
  selectReadFiles,
  selectRecentRuns,
  selectRecentTokens,
  selectResponses,
  selectSessionPlace,
  selectSessions,
  selectClaudeCompactions,
  type RunsQuery,
  type SessionFilter,
} from "./queries.ts";
import { selectRealRuns, selectReceipt, selectRentFacts, selectRuleBook } from "./rule-book.ts";
import { selectContextFill, sessionPageOf } from "./session-page.ts";
import { selectSessionStates, type StatesQuery } from "./session-states.ts";
import { selectSessionFolders, selectSpent, type SpentQuery, type SpendingTracker } from "./spent-tokens.ts";
import {
  selectDeliveredDraws,
  selectDraws,
  selectTrials,
  selectTrialSessions,
  type TrialSessionsQuery,
} from "./trial-book.ts";
import type { UsageRollup } from "../sums/usage-rollup.ts";
import { selectStoredWork } from "./beyond-files.ts";
import type { WhyQuestion } from "../why-answers.ts";
import { selectUnjudgedCalls } from "./unjudged-calls.ts";
import { whyOf } from "../why/why.ts";

/** The sources a question reads. */
export interface QuestionContext {
  readonly db: Database;
  readonly rollup: UsageRollup;
  readonly spent: SpendingTracker;
  readonly basis: LedgerBasis;
}

/**
 * Every question to the ledger, with its name, parameters and answer, which is read synchronously. A new question is
 * one row here; the thread, the service and tests ask it by name. No question changes the ledger's entries. Times are
 * milliseconds since the epoch.
 */
const questions = {
  /**
   * The same report as `aggregateUsage` makes from all responses, each counted once; by tool, skill or server, the
   * shares of the responses that called it.
   */
  usage: ({ rollup, basis }: QuestionContext, query: UsageQuery) => rollup.report(query, basis),
  overview: (context: QuestionContext, filter: LedgerFilter) => overviewOf(context, filter),
  /** Why some days or a session cost what they did; null for an unknown session, or if several begin with its id. */
  why: (context: QuestionContext, asked: WhyQuestion) => whyOf(context, asked),
  /** Null for an unknown session. */
  sessionPage: ({ db, basis }: QuestionContext, id: string) => sessionPageOf(db, basis, id),
  /** The current content of a session's window; null if no transcript records it. */
  contextFill: ({ db }: QuestionContext, id: string) => selectContextFill(db, id),
  /** A session's usage and results, and the user's other sessions of the same agent; null for an unknown session. */
  sessionFigures: (context: QuestionContext, id: string) => selectSessionFigures(context.db, context, id),
  /** A session's scorecard as of its end, as JSON text; null if there is none. */
  storedScorecard: ({ db }: QuestionContext, id: string) => selectStoredScorecard(db, id),
  /** Where a session began; null for an unknown session. */
  sessionPlace: ({ db }: QuestionContext, id: string) => selectSessionPlace(db, id),
  /** Newest first. */
  anomalies: ({ db }: QuestionContext, query: AnomalyQuery) => selectAnomalies(db, query),
  /** Most recently active first. */
  sessions: ({ db, basis }: QuestionContext, filter: SessionFilter) => selectSessions(db, filter, basis),
  /** A session's counted responses, including its subagents', ordered by time. */
  responses: ({ db }: QuestionContext, sessionId: string) => selectResponses(db, sessionId),
  /** The ledger's data on a session beyond the responses that the caller knows. */
  storedWork: ({ db }: QuestionContext, asked: StoredWorkQuery) => selectStoredWork(db, asked),
  claudeCompactions: ({ db }: QuestionContext) => selectClaudeCompactions(db),
  /** How far transcripts have been read, by path, without their readers' states. */
  positions: ({ db }: QuestionContext) => selectPositions(db),
  /** How far a transcript has been read, with its reader's state; null if it has not been read. */
  position: ({ db }: QuestionContext, path: string) => selectPosition(db, path),
  /** Size and time of each transcript when it was last read, by path. */
  readFiles: ({ db }: QuestionContext) => selectReadFiles(db),
  recentRuns: ({ db }: QuestionContext, agent: string) => selectRecentRuns(db, agent),
  /** An agent's last completed runs of real work, newest first, at most 50. Processing tokens. */
  recentTokens: ({ db }: QuestionContext, asked: RunsQuery) => selectRecentTokens(db, asked),
  /**
   * Usage of the sessions that changed since the last call (at first, since the ledger was opened), each session
   * complete. The caller must keep the answer as long as it needs it. Usage before the given time is one sum, not split
   * by local day.
   */
  takeSpent: ({ spent, basis }: QuestionContext, since: number) => spent.take(since, basis),
  /**
   * The folders of the sessions that `takeSpent` would return, as a replacement for it: for callers that need only
   * these.
   */
  takeSpentFolders: ({ spent }: QuestionContext) => spent.takeFolders(),
  /** Usage of the sessions that began in some folders, each session complete. */
  spentIn: ({ db, basis }: QuestionContext, asked: SpentQuery) => selectSpent(db, asked, basis),
  /** The folders in which sessions began. */
  sessionFolders: ({ db }: QuestionContext) => selectSessionFolders(db),
  /** Rules, their histories, receipts and compiled memories. */
  ruleBook: ({ db }: QuestionContext) => selectRuleBook(db),
  /** A receipt's JSON, or null for an unknown receipt. */
  receipt: ({ db }: QuestionContext, id: string) => selectReceipt(db, id),
  /** At most `most` runs per agent; a null project means all projects. */
  realRuns: ({ db, basis }: QuestionContext, asked: { most: number; project: string | null }) =>
    selectRealRuns(db, asked, basis),
  rentFacts: ({ db }: QuestionContext) => selectRentFacts(db),
  /** The inputs for the rent of instructions: sessions, subagents and uses of skills by folder, since a time. */
  useCounts: ({ db, rollup, basis }: QuestionContext, since: number) => ({
    ...selectUseCounts(db, since),
    /** Average cost of a token that entered a context, with its later reads from the cache. USD; null where unknown. */
    usdPerToken: enteringPrice({ rollup, basis }, basis.dayOf(since)),
    /** Characters per token, for each of the newest requests in the ledger. */
    charactersPerToken: selectRentFacts(db).charactersPerToken,
  }),
  /** Trials of rules in real work, newest first. */
  trials: ({ db }: QuestionContext) => selectTrials(db),
  /** A session's draws, of all trials. */
  drawsOf: ({ db }: QuestionContext, sessionId: string) => selectDraws(db, sessionId),
  /** Draws of a trial that sessions have. */
  deliveredDraws: ({ db }: QuestionContext, trialId: string) => selectDeliveredDraws(db, trialId),
  /**
   * A trial's sessions with their rules and the results of their prompts, and sessions of that time without a draw;
   * null for an unknown trial.
   */
  trialSessions: ({ db }: QuestionContext, asked: TrialSessionsQuery) => selectTrialSessions(db, asked),
  /** The newest sessions of real work, at most `max`, with the results of their prompts. */
  recentWork: ({ db }: QuestionContext, max: number) => selectRecentWork(db, max),
  /** Golden tasks' runs and baselines, and tokens spent since a time. */
  goldenBook: ({ db }: QuestionContext, since: number) => selectGoldenBook(db, since),
  /** Results of suites, open questions, and tokens spent since a time. */
  reportFacts: ({ db }: QuestionContext, since: number) => selectReportFacts(db, since),
  /** Guard rules that fired since a time, counted, by family and day, and the newest hits. */
  guardBook: ({ db, basis }: QuestionContext, asked: { since: number; most: number }) =>
    selectGuardBook(db, basis, asked),
  /** Calls that ran without a hook's answer or record, before the service started at a time. */
  unjudgedCalls: ({ db }: QuestionContext, before: number) => selectUnjudgedCalls(db, before),
  /** The state of a session's work; of two sessions if the id is ambiguous. */
  sessionStates: ({ db }: QuestionContext, query: StatesQuery) => selectSessionStates(db, query),
  /** The newest packets from other sessions' work at a place, as JSON texts, newest first. */
  newestPackets: ({ db }: QuestionContext, place: PacketPlace) => selectNewestPackets(db, place),
  /** A session's newest packet, as JSON text; null if it has none. */
  packetOf: ({ db }: QuestionContext, sessionId: string) => selectPacket(db, sessionId),
  /** The origin of a session; null for an unknown session. */
  sessionOrigin: ({ db }: QuestionContext, id: string) => selectSessionOrigin(db, id),
  /**
   * The session with an id, else at most two with an id that begins with it; for null, the most recently active one.
   */
  sessionsNamed: ({ db }: QuestionContext, id: string | null) => selectSessionsNamed(db, id),
  /** The facts that each of a session's compactions kept and lost, newest first. */
  compactionDiffs: ({ db }: QuestionContext, sessionId: string) => selectCompactionDiffs(db, sessionId),
  /** The newest compactions of all sessions, at most `max`. */
  recentCompactions: ({ db }: QuestionContext, max: number) => selectRecentCompactions(db, max),
  /** How often each guard rule has fired since a time. */
  guardCounts: ({ db }: QuestionContext, since: number) => selectGuardCounts(db, since),
  /** The outcomes of guard rules' advice since a time, by rule. */
  guardEffects: ({ db }: QuestionContext, since: number) => selectGuardEffects(db, since),
  /** Savings of shortened outputs since a time, and the cost of the calls that followed them. */
  savedOutputs: (context: QuestionContext, since: number) => selectSavedOutputs(context, since),
  /** Durations and injected characters of purser's own hooks since a time. */
  hookProfile: ({ db }: QuestionContext, since: number) => selectHookProfile(db, since),
  /** Documents that hand a session's work over, made since a time or taken by a session, newest first. */
  handovers: ({ db }: QuestionContext, query: HandoverQuery) => selectHandovers(db, query),
  /** When the last hook of each agent was answered, since a time. */
  lastHooks: ({ db }: QuestionContext, since: number) => selectLastHooks(db, since),
  /** The progress of learning in each file and project. */
  learnCursors: ({ db }: QuestionContext) => selectLearnCursors(db),
  /** The input for learning, by project and task. */
  factsStamps: ({ db }: QuestionContext) => selectFactsStamps(db),
  /** When the sessions of a project ended, newest first. */
  learnedSessions: ({ db }: QuestionContext, project: string) => selectLearnedSessions(db, project),
  /** The facts that a task, or with null each task, found in a project's sessions. */
  sessionFacts: ({ db }: QuestionContext, asked: { project: string; task: string | null }) =>
    selectSessionFacts(db, asked),
  /** Everything learned about a project, or with null about all projects. */
  learnedBook: ({ db }: QuestionContext, project: string | null) => selectLearnedBook(db, project),
  /** The outcomes of advice, by rule and by the phase in which it was sent. */
  phaseOutcomes: ({ db }: QuestionContext) => selectPhaseOutcomes(db),
  /** The outcomes of the texts that continuity sends to agents, by kind, since each was last unmuted. */
  sentTexts: ({ db }: QuestionContext) => selectSentTexts(db),
  /** How people return to sessions of ordinary work since a time, by program. */
  ordinaryWork: ({ db, basis }: QuestionContext, query: OrdinaryWorkQuery) =>
    selectOrdinaryWork(db, query, basis),
  /** The user's other machines, and how far each one's usage is merged. */
  machines: ({ db }: QuestionContext) => selectMachines(db),
  /** Wakes of recurring agents since a time, newest first. */
  wakes: ({ db }: QuestionContext, query: WakesQuery) => selectWakes(db, query),
};

type Questions = typeof questions;
export type QuestionName = keyof Questions;
/** A question's parameters; null for a question without parameters. */
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
