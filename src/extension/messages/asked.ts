import type { MessageQuestion } from "../../engine/hooks/messages/answers.ts";

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
