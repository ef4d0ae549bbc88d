import * as z from "zod/mini";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { handoverStates, lostItem } from "../ledger/entries.ts";

export { cardParts, handoverCard, type CardPart } from "./handover/card.ts";

/** Data that continuity gives to clients. Times are milliseconds since the epoch; `null` means unknown. */

const text = z.nullable(z.string());
const time = z.nullable(z.number());

/** A document that hands a session's work over, as it is listed. */
export const handoverView = z.object({
  id: z.string(),
  sessionId: z.string(),
  program: text,
  madeAt: time,
  folder: text,
  branch: text,
  state: z.enum(handoverStates),
  /** Agent that was started with the document, and the session that took it. */
  toProgram: text,
  toSession: text,
  takenAt: time,
  /** Tokens of the session's next call, and of the document. Estimated. */
  carried: z.nullable(z.number()),
  tokens: z.nullable(z.number()),
});
export type HandoverView = z.infer<typeof handoverView>;

export const handoverDraft = z.object({
  ...handoverView.shape,
  /** Absolute path. */
  file: z.string(),
  text: z.string(),
  headCommit: text,
  /** Changes in the project since the document was made, as clauses. The document's text lists them. */
  changed: z.array(sentenceSchema),
});
export type HandoverDraft = z.infer<typeof handoverDraft>;

/** Facts of a session that its successor lacks. */
export const handoverGap = z.object({
  items: z.array(
    z.extend(lostItem, {
      /** `chosen`: the successor gets it at its next prompt. `given`: it has got it, or a person copied it. */
      back: z.nullable(z.enum(["chosen", "given"])),
    }),
  ),
  /** Whether hooks of the successor's agent can add to its prompts. */
  isReached: z.boolean(),
});
export type HandoverGap = z.infer<typeof handoverGap>;

/** The last session's work, as offered to a new session. */
export const startOffer = z.object({
  sessionId: z.string(),
  program: text,
  /** The session's name, or its first prompt. Cleaned and short. */
  title: text,
  at: time,
  turns: z.number(),
});
export type StartOffer = z.infer<typeof startOffer>;

/** A session's resume packet as Markdown, and its tokens, estimated. */
export const packetText = z.object({ text: z.string(), tokens: z.number() });
export type PacketText = z.infer<typeof packetText>;

/** Measures of a session that are compared with the user's median. */
export const measureNames = [
  /** Processing tokens, and USD at list prices, for each completed prompt. */
  "tokens",
  "usd",
  /** Share of sent tokens read from the cache, 0 to 1. */
  "cache",
  /** Share of file reads that read a file again, and of calls that failed, 0 to 1. */
  "rereads",
  "failures",
  /** Loops that guards noticed. */
  "loops",
  "compactions",
  /** Share of edited files without a passed check since, 0 to 1. */
  "unverified",
] as const;
export type MeasureName = (typeof measureNames)[number];

const measure = z.object({
  name: z.enum(measureNames),
  value: z.nullable(z.number()),
  /** Median of the sessions in the comparison. Null if fewer than five of them have this measure. */
  usual: z.nullable(z.number()),
  /** Minimum and maximum of those sessions. */
  range: z.nullable(z.tuple([z.number(), z.number()])),
});
export type Measure = z.infer<typeof measure>;

/** Facts about a session and comparisons with the user's other sessions; no grade. */
export const scorecard = z.object({
  sessionId: z.string(),
  prompts: z.number(),
  completed: z.number(),
  /** The sessions that it is compared with: of the same project, else of the same agent. Null for fewer than five. */
  basis: z.nullable(z.object({ of: z.enum(["project", "agent"]), sessions: z.number() })),
  measures: z.array(measure),
  /** Edited files, and how many of them had a passed check since. Null without hook reports. */
  edits: z.nullable(z.object({ edited: z.number(), verified: z.number() })),
  /** Tokens that guards left out of outputs, and that a document carried less than the conversation that it stands for. Estimated. */
  savedByGuards: z.nullable(z.number()),
  savedByHandover: z.nullable(z.number()),
  /** Tokens saved by a packet: the next call of its session, less the packet. Estimated. */
  savedByPacket: z.nullable(z.number()),
  done: z.array(z.string()),
  open: z.array(z.string()),
});
export type Scorecard = z.infer<typeof scorecard>;
