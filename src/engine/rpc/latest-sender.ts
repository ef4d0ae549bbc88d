/**
 * Sends values one after the other, each when the one before has left. Of what comes meanwhile only the latest is kept:
 * who reads slowly is sent less, not later.
 */
export class LatestSender<Value> {
  readonly #send: (value: Value) => Promise<void>;
  #isSending = false;
  #next: { readonly value: Value } | undefined;

  /** @param send ends when the value has left; rejects when nothing can be sent any more */
  constructor(send: (value: Value) => Promise<void>) {
    this.#send = send;
  }

  offer(value: Value): void {
    this.#next = { value };
    if (!this.#isSending) void this.#drain();
  }

  /** What has not left is not sent any more. */
  clear(): void {
    this.#next = undefined;
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    while (this.#next !== undefined) {
      const { value } = this.#next;
      this.#next = undefined;
      await this.#send(value);
    }
    this.#isSending = false;
  }
}
