import type { MessageQuestion } from "../../engine/guard/messages/answers.ts";

type Question = Pick<MessageQuestion, "id" | "answerUntil">;

/**
 * Which messages the user was asked about. Whoever follows anew is told again of what is still open; and one of which only the
 * terminal could be told to ask may be answered here later.
 */
export class AskedMessages {
  /** By id: whether it could be answered here. */
  readonly #asked = new Map<string, boolean>();

  /** Whether there is something to ask that was not asked before. */
  isNew({ id, answerUntil }: Question): boolean {
    const isAnswerable = answerUntil !== null;
    const before = this.#asked.get(id);
    if (before === true || before === isAnswerable) return false;
    this.#asked.set(id, isAnswerable);
    return true;
  }
}
