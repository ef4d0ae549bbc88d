import { wholeNumber } from "../../engine/base/local-format.ts";
import type { MessageQuestion } from "../../engine/hooks/message-requests.ts";
import { inMessage } from "../editor/outside-text.ts";
import type { Translate } from "../editor/describe-editor.ts";

const maxNameLength = 40;
const maxTextLength = 160;

/** `[frontend → backend] “…”`, for a notification: everything in it was written by a model. */
export function messageLine({ from, to, text }: Pick<MessageQuestion, "from" | "to" | "text">): string {
  // A bracket in a name could make the message look like another agent's.
  const named = (name: string) => inMessage(name, maxNameLength).replaceAll(/[[\]→]/gu, "");
  return `[${named(from)} → ${named(to)}] “${inMessage(text, maxTextLength)}”`;
}

export function messageQuestion(question: MessageQuestion, t: Translate): string {
  return t("{0} — approve?", messageLine(question));
}

/** How much of the text is not shown; empty when all of it is. */
export function restOf({ text, chars }: Pick<MessageQuestion, "text" | "chars">, t: Translate): string {
  const rest = chars - text.length;
  return rest > 0 ? t("{0} more characters are not shown.", wholeNumber(rest)) : "";
}

type Question = Pick<MessageQuestion, "id" | "answerUntil">;

/**
 * The messages about which the user was asked. Each new subscription reports the open ones again. A message
 * that at first only the terminal could ask about may become answerable here.
 */
export class AskedMessages {
  /** By id: whether it could be answered here. */
  readonly #asked = new Map<string, boolean>();

  /** Whether this question is new to the user. */
  isNew({ id, answerUntil }: Question): boolean {
    const isAnswerable = answerUntil !== null;
    const before = this.#asked.get(id);
    if (before === true || before === isAnswerable) return false;
    this.#asked.set(id, isAnswerable);
    return true;
  }
}
