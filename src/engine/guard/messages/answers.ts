import * as z from "zod";

/** What clients and the service say to each other of messages between agents. All texts are cleaned. */

export const question = z.object({
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

export const settlement = z.object({
  id: z.string(),
  /** `asked`: no window answered in time, so the agent's own prompt asks now. */
  outcome: z.enum(["approved", "denied", "asked"]),
});
export type MessageSettlement = Readonly<z.infer<typeof settlement>>;
