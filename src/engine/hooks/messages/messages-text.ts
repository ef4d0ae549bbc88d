import { cleanText, cutMiddle } from "../../base/text.ts";

/** Maximum length of a name, and of the shown and stored part of a message. Characters. */
const maxLengths = { name: 60, text: 500 };

/** A message as its agent sends it. */
export interface SentMessage {
  readonly to: string;
  readonly text: string;
}

export interface ShownMessage {
  readonly to: string;
  /** Cleaned, on one line; the middle of a long message is left out. */
  readonly text: string;
  /** Length of the whole message. Characters. */
  readonly chars: number;
}

export function shownMessage({ to, text }: SentMessage): ShownMessage {
  return { to, text: cutMiddle(cleanText(text), maxLengths.text), chars: text.length };
}

export function shownName(name: string): string {
  const clean = cutMiddle(cleanText(name), maxLengths.name);
  return clean === "" ? "?" : clean;
}

/** `[frontend → backend] "Which port?" — approve?` */
export function messageQuestion(from: string, { to, text }: Pick<ShownMessage, "to" | "text">): string {
  return `[${from} → ${to}] "${text}" — approve?`;
}
