import * as z from "zod";
import { notice, request } from "../rpc/request.ts";
import { question, settlement } from "../guard/messages/answers.ts";

/**
 * From now on this client is told of messages between agents that work in these folders, and can answer for its user: such a
 * message waits for a moment. Other folders take the place of these; none ends it.
 */
const messagesFollow = request("messagesFollow", {
  params: z.object({ folders: z.array(z.string().min(1).max(4096)).max(64) }),
  answer: z.object({}),
});

const messageAsked = notice("messageAsked", question);

/** What became of one that was told of: nobody need answer any more. */
const messageSettled = notice("messageSettled", settlement);

/** The user's answer. Who is first decides; `isTaken` is false for who comes too late. */
const messageAnswer = request("messageAnswer", {
  params: z.object({ id: z.string().max(256), decision: z.enum(["allow", "deny"]) }),
  answer: z.object({ isTaken: z.boolean() }),
});

export const messageRequests = { messagesFollow, messageAnswer };
export const messageNotices = { messageAsked, messageSettled };
