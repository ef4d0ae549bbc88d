import * as z from "zod/mini";
import { notice, request } from "../protocol/protocol-request.ts";
import { question, settlement } from "./messages/answers.ts";

/**
 * Notifies this client from now on of messages between agents in these folders, so that it can answer for its
 * user. Such a message waits for a moment. A later call replaces the folders; an empty list stops it.
 */
const messagesFollow = request("messagesFollow", {
  params: z.object({
    folders: z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.maxLength(64)),
  }),
  answer: z.object({}),
});

const messageAsked = notice("messageAsked", question);

/** A reported message is settled, and no longer needs an answer. */
const messageSettled = notice("messageSettled", settlement);

/** The user's answer. The first one decides; `isTaken` is false for a later one. */
const messageAnswer = request("messageAnswer", {
  params: z.object({ id: z.string().check(z.maxLength(256)), decision: z.enum(["allow", "deny"]) }),
  answer: z.object({ isTaken: z.boolean() }),
});

export const messageRequests = { messagesFollow, messageAnswer };
export const messageNotices = { messageAsked, messageSettled };
