/** A question that can be answered once. */
export interface Question {
  /** Returns whether it was still open. */
  answer(isYes: boolean): boolean;
}

interface Asking {
  /** Shows the question; any answer it offers applies to this question only. */
  readonly show: (question: Question) => Promise<void>;
  /** Closes the view that shows it. */
  readonly close: () => Promise<void>;
}

/**
 * Asks one question at a time. A new one answers the current one with no, and is shown once that is closed.
 * If several arrive until then, only the last is shown.
 */
export class OneQuestion {
  #current: Question | undefined;
  #turn = 0;
  #before: Promise<unknown> = Promise.resolve();

  async ask(asking: Asking): Promise<boolean> {
    const turn = (this.#turn += 1);
    this.answer(false);
    const asked = this.#before.then(() => (turn === this.#turn ? this.#ask(asking) : false));
    this.#before = asked.catch(() => undefined);
    return await asked;
  }

  /** Answers the current question, if there is one. */
  answer(isYes: boolean): void {
    this.#current?.answer(isYes);
  }

  async #ask({ show, close }: Asking): Promise<boolean> {
    let settle: ((isYes: boolean) => void) | undefined;
    const answered = new Promise<boolean>((resolve) => (settle = resolve));
    const question = {
      answer: (isYes: boolean) => {
        const isAsked = settle !== undefined;
        settle?.(isYes);
        settle = undefined;
        if (this.#current === question) this.#current = undefined;
        return isAsked;
      },
    };
    this.#current = question;
    try {
      await show(question);
      return await answered;
    } finally {
      question.answer(false);
      await close();
    }
  }
}
