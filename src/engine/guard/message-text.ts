import * as z from "zod";
import { cleanText, cutMiddle } from "../base/text.ts";

/** The tool with which agents write to each other. */
export const messageTool = "SendMessage";

/** Of a name, and of what is shown and kept of a message. Characters. */
const longest = { name: 60, text: 500 };

/**
 * What the tool takes. It has had other names for its parts; those that are told for old hooks only come second. A message that is
 * no text is one of the agent's own protocol (to end, to approve a plan), and nobody's to approve.
 */
const input = z.object({
  to: z.string().optional().catch(undefined),
  recipient: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

export interface Message {
  readonly to: string;
  /** Harmless, on one line; its middle is left out where it is long. */
  readonly text: string;
  /** Of all of it. Characters. */
  readonly chars: number;
}

/** Null for what is no message. @param toolInput of a use of the tool */
export function messageIn(toolInput: unknown): Message | null {
  const { to, recipient, message } = input.safeParse(toolInput).data ?? {};
  const whom = to ?? recipient;
  if (whom === undefined || whom === "" || message === undefined) return null;
  return { to: whom, text: cutMiddle(cleanText(message), longest.text), chars: message.length };
}

export function shownName(name: string): string {
  const clean = cutMiddle(cleanText(name), longest.name);
  return clean === "" ? "?" : clean;
}

/** `[frontend → backend] "Which port?" — approve?` */
export function messageQuestion(from: string, { to, text }: Pick<Message, "to" | "text">): string {
  return `[${from} → ${to}] "${text}" — approve?`;
}
