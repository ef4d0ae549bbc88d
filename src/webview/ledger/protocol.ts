import * as z from "zod";
import { freshness, ledgerFilter, overview, sessionPage } from "../../engine/ledger/answers.ts";

/**
 * What the Ledger panel and its host say to each other. Both check what they hear with these schemas. The host always
 * sends all of a thing, never what changed of it: a hidden panel hears nothing.
 */

const day = ledgerFilter.shape.since;
const id = z.string().min(1).max(1000);

/** The host turns it into days: it runs where the transcripts are, in whose time zone the ledger counts days. */
const range = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("last"), days: z.int().min(1).max(3660) }),
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("between"), since: day, until: day }),
]);
export type Range = z.infer<typeof range>;

const question = z.object({
  range,
  project: ledgerFilter.shape.project,
  program: ledgerFilter.shape.program,
});
export type Question = z.infer<typeof question>;

const exported = z.enum(["overview", "session"]);
const format = z.enum(["csv", "json"]);

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script runs, and this is what it showed when it last did. */
  z.object({ type: z.literal("ready"), question, sessionId: id.nullable() }),
  z.object({ type: z.literal("ask"), question }),
  z.object({ type: z.literal("openSession"), id }),
  z.object({ type: z.literal("closeSession") }),
  z.object({ type: z.literal("export"), what: exported, format }),
  z.object({ type: z.literal("openTranscript"), id }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("getStarted") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const overviewMessage = z.object({
  type: z.literal("overview"),
  question,
  /** The days that the question's range was taken for. */
  since: day,
  until: day,
  overview,
  freshness,
});
export type OverviewMessage = z.infer<typeof overviewMessage>;

const sessionMessage = z.object({
  type: z.literal("session"),
  id,
  /** Null when the ledger knows no such session. */
  page: sessionPage.nullable(),
  freshness,
});
export type SessionMessage = z.infer<typeof sessionMessage>;

export const hostMessage = z.discriminatedUnion("type", [
  overviewMessage,
  sessionMessage,
  /** Asked for and not got. `message` is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: exported, message: z.string() }),
  /** There is nobody to ask now. The host goes on by itself when there is. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** From elsewhere in the editor: show this session. */
  z.object({ type: z.literal("show"), id }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** What the panel remembers while it is hidden and over a reload of the window. */
export const panelState = z.object({
  question,
  sessionId: id.nullable(),
  metric: z.enum(["tokens", "cost"]),
  breakdown: z.string().max(40),
  scroll: z.number(),
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = {
  question: { range: { kind: "last", days: 30 }, project: null, program: null },
  sessionId: null,
  metric: "tokens",
  breakdown: "project",
  scroll: 0,
};
