import * as z from "zod";
import { handoverDraft, handoverView, packetText, scorecard, startOffer } from "./answers.ts";
import { unattendedWork } from "./handover/unattended.ts";
import { notice, request } from "../protocol/protocol-request.ts";

/** Requests and notices about handing work over, and about what a session came to. */

const id = z.string().min(1).max(256);

/**
 * Writes the document of a session.
 * @param reader the session in which it is printed, so that its agent reads it
 * @param unattended what is known of the work of a session that a schedule woke
 */
const handoverMake = request("handoverMake", {
  params: z.object({ session: id, reader: id.optional(), unattended: unattendedWork.optional() }),
  answer: z.object({ draft: handoverDraft }),
});

/** Reads a document again, with what people changed in it, and says in it whether it is out of date. */
const handoverOpen = request("handoverOpen", {
  params: z.object({ id }),
  answer: z.object({ draft: handoverDraft }),
});

/** Says that an agent is about to begin with a document. Refused where another branch is checked out. */
const handoverStart = request("handoverStart", {
  params: z.object({ id, to: z.string().min(1).max(100) }),
  answer: z.object({ draft: handoverDraft }),
});

/** The model that the user lets sum up documents; null for none. */
const handoverImproveWith = request("handoverImproveWith", {
  params: z.object({}),
  answer: z.object({ model: z.string().nullable() }),
});

/** A document for the one call that sums it up, which the client makes: its person's own agent is asked, with that person's login. */
const handoverToImprove = request("handoverToImprove", {
  params: z.object({ id }),
  answer: z.object({
    document: z.string(),
    /** Null where the user lets none sum it up. */
    model: z.string().nullable(),
    /** The user's own figures of models. */
    models: z.record(z.string(), z.unknown()),
  }),
});

/** Puts a summary into a document. */
const handoverImprove = request("handoverImprove", {
  params: z.object({ id, section: z.string().max(20_000) }),
  answer: z.object({ draft: handoverDraft }),
});

/** Documents of the last weeks, the newest first. */
const handoverList = request("handoverList", {
  params: z.object({}),
  answer: z.object({ handovers: z.array(handoverView).readonly() }),
});

/** The last session on the same project and branch, for one that begins; null where there is none to go on with. */
const sessionOffer = request("sessionOffer", {
  params: z.object({ session: id, folder: z.string().min(1).max(4096) }),
  answer: z.object({ offer: startOffer.nullable() }),
});

/** A session's newest resume packet. */
const sessionPacket = request("sessionPacket", {
  params: z.object({ session: id }),
  answer: packetText,
});

/** What a session took beside the user's other sessions; null for one that the ledger does not know. */
const sessionScorecard = request("sessionScorecard", {
  params: z.object({ session: id }),
  answer: z.object({ scorecard: scorecard.nullable() }),
});

export const handoverRequests = {
  handoverMake,
  handoverOpen,
  handoverStart,
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
  z.object({ handovers: z.array(handoverView).readonly() }),
);

export const handoverNotices = { handoversChanged };
