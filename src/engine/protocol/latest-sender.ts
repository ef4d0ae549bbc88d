/**
 * Sends values one at a time, each after the previous one was sent. Of the values that arrive in between only
 * the latest is sent: a slow reader gets fewer values, not late ones.
 */
export class LatestSender<Value> {
  readonly #send: (value: Value) => Promise<void>;
  #isSending = false;
  #next: { readonly value: Value } | undefined;

  /** @param send resolves when the value has been sent; rejects when sending is no longer possible */
  constructor(send: (value: Value) => Promise<void>) {
    this.#send = send;
  }

  offer(value: Value): void {
    this.#next = { value };
    if (!this.#isSending) void this.#drain();
  }

  /** Discards the value that waits to be sent. */
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
