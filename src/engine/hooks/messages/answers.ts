import * as z from "zod/mini";

/** Wire messages between clients and the service about messages between agents. All texts are cleaned. */

export const question = z.object({
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

export const settlement = z.object({
  id: z.string(),
  /** `asked`: no window answered in time, so the agent's own prompt asks now. */
  outcome: z.enum(["approved", "denied", "asked"]),
});
export type MessageSettlement = Readonly<z.infer<typeof settlement>>;
