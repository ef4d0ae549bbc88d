/** A question that is asked until it is answered, once. */
export interface Question {
  /** Answers whether it was still asked. */
  answer(isYes: boolean): boolean;
}

interface Asking {
  /** Shows it; whatever it offers for an answer answers this question and no other. */
  readonly show: (question: Question) => Promise<void>;
  /** Puts away what shows it. */
  readonly close: () => Promise<void>;
}

/**
 * Asks one question at a time. Another one answers the one before with a no, and is shown when that is put away; of several that come
 * meanwhile only the last is.
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

  /** Answers the question that is asked, if one is. */
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
