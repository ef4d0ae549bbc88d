import { cleanText, cutMiddle } from "../../base/text/text.ts";

/** Of a name, and of what is shown and kept of a message. Characters. */
const longest = { name: 60, text: 500 };

/** A message as its agent sends it. */
export interface SentMessage {
  readonly to: string;
  readonly text: string;
}

export interface ShownMessage {
  readonly to: string;
  /** Harmless, on one line; its middle is left out where it is long. */
  readonly text: string;
  /** Of all of it. Characters. */
  readonly chars: number;
}

export function shownMessage({ to, text }: SentMessage): ShownMessage {
  return { to, text: cutMiddle(cleanText(text), longest.text), chars: text.length };
}

export function shownName(name: string): string {
  const clean = cutMiddle(cleanText(name), longest.name);
  return clean === "" ? "?" : clean;
}

/** `[frontend → backend] "Which port?" — approve?` */
export function messageQuestion(from: string, { to, text }: Pick<ShownMessage, "to" | "text">): string {
  return `[${from} → ${to}] "${text}" — approve?`;
}
