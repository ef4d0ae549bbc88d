import * as z from "zod/mini";
import { notice, request } from "../protocol/serve.ts";

/** Wire messages between clients and the service about messages between agents. All texts are cleaned. */

const question = z.object({
  /** Id of the tool call that would send it. */
  id: z.string(),
  sessionId: z.string(),
  /** The sender's working folder; null where not reported. */
  cwd: z.nullable(z.string()),
  from: z.string(),
  to: z.string(),
  /** Only the start of a long text. */
  text: z.string(),
  /** Length of the whole message. Characters. */
  chars: z.number(),
  /** Time it was held. Milliseconds since the epoch. */
  at: z.number(),
  /** Deadline for a window's answer; null when the terminal asks at once. Milliseconds since the epoch. */
  answerUntil: z.nullable(z.number()),
});
export type MessageQuestion = Readonly<z.infer<typeof question>>;

const settlement = z.object({
  id: z.string(),
  /** `asked`: no window answered in time, so the agent's own prompt asks now. */
  outcome: z.enum(["approved", "denied", "asked"]),
});
export type MessageSettlement = Readonly<z.infer<typeof settlement>>;

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
