import * as z from "zod/mini";
import {
  handoverDraft,
  handoverGap as handoverGapAnswer,
  handoverView,
  packetText,
  scorecard,
  startOffer,
} from "./continuity-answers.ts";
import { handoverCard } from "./handover/card.ts";
import { unattendedWork } from "./handover.ts";
import { notice, request } from "../protocol/serve.ts";

/** Requests and notices about handing work over, and about what a session came to. */

const id = z.string().check(z.minLength(1), z.maxLength(256));

/**
 * Writes the handover document of a session.
 * @param reader the session that prints it, so that its agent reads it
 * @param unattended what is known about the work of a session started by a schedule
 */
const handoverMake = request("handoverMake", {
  params: z.object({ session: id, reader: z.optional(id), unattended: z.optional(unattendedWork) }),
  answer: z.object({ draft: handoverDraft }),
});

/** Reads a document again with people's changes, and marks in it whether it is out of date. */
const handoverOpen = request("handoverOpen", {
  params: z.object({ id }),
  answer: z.object({ draft: handoverDraft }),
});

/** Writes a person's changes to the parts of a document. */
const handoverWrite = request("handoverWrite", {
  params: z.object({ id, card: handoverCard }),
  answer: z.object({ draft: handoverDraft }),
});

/** Reports that an agent is about to start with a document. Refused if another branch is checked out. */
const handoverStart = request("handoverStart", {
  params: z.object({ id, to: z.string().check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({ draft: handoverDraft }),
});

/** Facts of a session that its successor lacks. Null while no session has begun with the document. */
const handoverGap = request("handoverGap", {
  params: z.object({ id }),
  answer: z.object({ gap: z.nullable(handoverGapAnswer) }),
});

/**
 * Adds facts to the successor's next prompt, once. Where no hook reaches it, returns them as a text to paste into the
 * prompt; null otherwise.
 */
const handoverPutBack = request("handoverPutBack", {
  params: z.object({ id, items: z.array(id).check(z.minLength(1), z.maxLength(200)) }),
  answer: z.object({ text: z.nullable(z.string()) }),
});

/** The model that the user allows to summarize documents. Null for none. */
const handoverImproveWith = request("handoverImproveWith", {
  params: z.object({}),
  answer: z.object({ model: z.nullable(z.string()) }),
});

/**
 * A document for the one call that summarizes it. The client makes this call with its user's agent and login.
 */
const handoverToImprove = request("handoverToImprove", {
  params: z.object({ id }),
  answer: z.object({
    document: z.string(),
    /** Null if the user allows no model to summarize it. */
    model: z.nullable(z.string()),
    models: z.record(z.string(), z.unknown()),
  }),
});

const handoverImprove = request("handoverImprove", {
  params: z.object({ id, section: z.string().check(z.maxLength(20_000)) }),
  answer: z.object({ draft: handoverDraft }),
});

/** Documents of the last weeks, the newest first. */
const handoverList = request("handoverList", {
  params: z.object({}),
  answer: z.object({ handovers: z.readonly(z.array(handoverView)) }),
});

/** For a new session: the last session on the same project and branch. Null if there is none to continue. */
const sessionOffer = request("sessionOffer", {
  params: z.object({ session: id, folder: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  answer: z.object({ offer: z.nullable(startOffer) }),
});

/** A session's newest resume packet. */
const sessionPacket = request("sessionPacket", {
  params: z.object({ session: id }),
  answer: packetText,
});

/** A session's use compared with the user's other sessions. Null if the ledger does not have it. */
const sessionScorecard = request("sessionScorecard", {
  params: z.object({ session: id }),
  answer: z.object({ scorecard: z.nullable(scorecard) }),
});

export const handoverRequests = {
  handoverMake,
  handoverOpen,
  handoverWrite,
  handoverStart,
  handoverGap,
  handoverPutBack,
  handoverImproveWith,
  handoverToImprove,
  handoverImprove,
  handoverList,
  sessionOffer,
  sessionPacket,
  sessionScorecard,
};

/** A document was made, started, taken, or fell out of date. */
const handoversChanged = notice(
  "handoversChanged",
  z.object({ handovers: z.readonly(z.array(handoverView)) }),
);

export const handoverNotices = { handoversChanged };
