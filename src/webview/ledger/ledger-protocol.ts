import * as z from "zod/mini";
import { why } from "../../engine/ledger/why-answers.ts";
import {
  handoverCard,
  handoverGap,
  handoverView,
  scorecard,
} from "../../engine/continuity/continuity-answers.ts";
import {
  freshness,
  ledgerFilter,
  localDay,
  overview,
  sessionPage,
} from "../../engine/ledger/ledger-answers.ts";

/**
 * Messages between the Usage panel and its host. Both sides validate what they receive with these schemas. The host
 * always sends complete objects, never changes: a hidden panel receives nothing.
 */

const day = ledgerFilter.shape.since;
const id = z.string().check(z.minLength(1), z.maxLength(1000));

/**
 * The host converts a range into days, because it runs in the transcripts' time zone, which the ledger uses to count
 * days.
 */
const range = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("last"), days: z.int().check(z.minimum(1), z.maximum(3660)) }),
  z.object({ kind: z.literal("yesterday") }),
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("between"), since: day, until: day }),
]);
export type Range = z.infer<typeof range>;

const question = z.object({
  range,
  project: ledgerFilter.shape.project,
  program: ledgerFilter.shape.program,
  machine: ledgerFilter.shape.machine,
});
export type Question = z.infer<typeof question>;

const exported = z.enum(["overview", "session"]);
const format = z.enum(["csv", "json"]);

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started, and last showed this. */
  z.object({ type: z.literal("ready"), question, sessionId: z.nullable(id) }),
  z.object({ type: z.literal("ask"), question }),
  z.object({ type: z.literal("openSession"), id }),
  z.object({ type: z.literal("closeSession") }),
  /** Sends items that a compaction lost to the agent again, at its next prompt. */
  z.object({
    type: z.literal("putBack"),
    session: id,
    diff: id,
    items: z.array(id).check(z.minLength(1), z.maxLength(200)),
  }),
  z.object({ type: z.literal("export"), what: exported, format }),
  z.object({ type: z.literal("openTranscript"), id }),
  z.object({ type: z.literal("handOver"), id }),
  /** Starts an agent with a document as it was edited, or opens its file, copies it, or puts it away. */
  z.object({
    type: z.literal("startCard"),
    id,
    card: handoverCard,
    agent: z.string().check(z.maxLength(40)),
  }),
  z.object({ type: z.literal("openCard"), id, card: handoverCard }),
  z.object({ type: z.literal("copyCard"), id, card: handoverCard }),
  z.object({ type: z.literal("closeCard"), id, card: z.nullable(handoverCard) }),
  /** Adds facts that the new session does not know to its next prompt. */
  z.object({
    type: z.literal("putBackCard"),
    id,
    items: z.array(id).check(z.minLength(1), z.maxLength(200)),
  }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("getStarted") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const overviewMessage = z.object({
  type: z.literal("overview"),
  question,
  /** The days that the host converted the question's range into. */
  since: day,
  until: day,
  overview,
  /** The same sums of as many days right before; null where that is unknown, or nothing was used. */
  previous: z.nullable(z.object({ since: localDay, until: localDay, totals: overview.shape.totals })),
  freshness,
});
export type OverviewMessage = z.infer<typeof overviewMessage>;

/** The session's result, and the sessions before and after it on the same work. */
const sessionWork = z.object({
  scorecard: z.nullable(scorecard),
  /** The newest document of its own work, and the one with which it began. */
  handedTo: z.nullable(handoverView),
  cameFrom: z.nullable(handoverView),
  canHandOver: z.boolean(),
  /** The advice is to end the session. */
  isEnding: z.boolean(),
  /** The context and its prices at present, in USD. Null for a session that is not live. */
  now: z.nullable(
    z.object({
      /** Percent of the window in use. */
      share: z.nullable(z.number()),
      /** Turns until compaction, in words. */
      forecast: z.nullable(z.string()),
      nextCall: z.nullable(z.number()),
      /** The next call after the cache has expired. */
      coldCall: z.nullable(z.number()),
      /** Milliseconds since the epoch. */
      cacheExpiresAt: z.nullable(z.number()),
      /** Ten more turns in this session, and in a new one with a handover. */
      here: z.nullable(z.number()),
      fresh: z.nullable(z.number()),
    }),
  ),
  /** The context's limits, as the live view knows them. Null for a session that is not followed. */
  room: z.nullable(
    z.object({
      /** Tokens; null where unknown. */
      window: z.nullable(z.number()),
      /** Whether the window is by the catalogue, or assumed. */
      isWindowEstimated: z.boolean(),
      /** The context size at which automatic compaction begins; null if unknown. Tokens. */
      compaction: z.nullable(z.number()),
      /** Sizes of the context from which the advice is to wrap up, and to end the turn. Tokens. */
      advice: z.nullable(z.object({ wrapUp: z.number(), endTurn: z.number() })),
    }),
  ),
});
export type SessionWork = z.infer<typeof sessionWork>;

const sessionMessage = z.object({
  type: z.literal("session"),
  id,
  /** Null when the ledger has no such session. */
  page: z.nullable(sessionPage),
  work: sessionWork,
  freshness,
});
export type SessionMessage = z.infer<typeof sessionMessage>;

/** The card that hands a session's work over, and later shows what the new session does not know. */
const relayCard = z.object({
  /** The document's. */
  id,
  sessionId: id,
  state: z.enum(["edit", "starting", "taken"]),
  /** The name of the document's file. */
  file: z.string(),
  /** The folder that the agent starts in. */
  folder: z.nullable(z.string()),
  parts: handoverCard,
  /** Agents that can start here, and the chosen one. */
  agents: z.array(z.object({ word: z.string(), name: z.string() })),
  agent: z.nullable(z.string()),
  /** Tokens of the document, and of the old session's next call. */
  tokens: z.nullable(z.number()),
  carried: z.nullable(z.number()),
  /** Ten more turns in the old session, and in the new one. USD. */
  here: z.nullable(z.number()),
  fresh: z.nullable(z.number()),
  /** Whether the old session is in the middle of a turn. */
  isWorking: z.boolean(),
  /** What changed in the project since the document was made, in words. Empty for nothing. */
  changed: z.string(),
  /** Why the last button did nothing, in words. */
  problem: z.nullable(z.string()),
  /** What a button did, in words. */
  done: z.nullable(z.string()),
  successor: z.nullable(
    z.object({
      id,
      name: z.string(),
      /** Percent of its window in use. */
      share: z.nullable(z.number()),
      /** USD, over its first ten turns. */
      saved: z.nullable(z.number()),
    }),
  ),
  gap: z.nullable(handoverGap),
});
export type RelayCard = z.infer<typeof relayCard>;

/** Why something cost what it did. It follows the overview or the session that it explains. */
const whyMessage = z.object({
  type: z.literal("why"),
  /** Null for a session. */
  question: z.nullable(question),
  sessionId: z.nullable(id),
  why,
});
export type WhyMessage = z.infer<typeof whyMessage>;

export const hostMessage = z.discriminatedUnion("type", [
  overviewMessage,
  sessionMessage,
  whyMessage,
  z.object({ type: z.literal("card"), card: z.nullable(relayCard) }),
  /** A request failed. The message is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: exported, message: z.string() }),
  /** The service is unavailable. The host resumes on its own once it is back. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** Shows a session, and one of its compactions, because of a command. */
  z.object({ type: z.literal("show"), id, compaction: z.nullable(id) }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({
  question,
  sessionId: z.nullable(id),
  metric: z.enum(["tokens", "cost"]),
  breakdown: z.string().check(z.maxLength(40)),
  /** The range before a bar of the chart was chosen. */
  wider: z._default(z.nullable(range), null),
  /** A card as it was edited, until an agent starts with it. */
  edited: z._default(z.nullable(z.object({ id, parts: handoverCard })), null),
  scroll: z.number(),
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = {
  question: { range: { kind: "last", days: 30 }, project: null, program: null },
  sessionId: null,
  metric: "tokens",
  breakdown: "project",
  wider: null,
  edited: null,
  scroll: 0,
};
