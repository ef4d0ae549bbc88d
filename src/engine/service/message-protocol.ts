import * as z from "zod";
import { notice, request } from "./protocol.ts";

/** What clients and the service say to each other of messages between agents. All texts are cleaned. */

const question = z.object({
  /** Of the tool call that would send it. */
  id: z.string(),
  sessionId: z.string(),
  /** Where the sender works; null where it did not say. */
  cwd: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  /** Its beginning, where it is long. */
  text: z.string(),
  /** Of all of it. Characters. */
  chars: z.number(),
  /** When it was held. Milliseconds since the epoch. */
  at: z.number(),
  /** A window may answer until then; null when the terminal asks at once. Milliseconds since the epoch. */
  answerUntil: z.number().nullable(),
});
export type MessageQuestion = Readonly<z.infer<typeof question>>;

const settlement = z.object({
  id: z.string(),
  /** `asked`: no window answered in time, so the agent's own prompt asks now. */
  outcome: z.enum(["approved", "denied", "asked"]),
});
export type MessageSettlement = Readonly<z.infer<typeof settlement>>;

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
