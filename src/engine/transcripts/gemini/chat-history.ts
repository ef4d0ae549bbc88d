/** A response and the tokens its request put into the context. */
export interface HistoryResponse {
  readonly id: string;
  readonly tokens: number;
}

/** The messages that the next request carries, in order, as far as a file tells. */
export class ChatHistory {
  /** Tokens of each response by message id; null for other messages. */
  #messages = new Map<string, number | null>();
  /** The same of every message ever written: a resume lists old messages without their tokens. */
  readonly #known = new Map<string, number | null>();

  /** @param tokens what the message's request put into the context; null for anything but a response */
  add(id: string, tokens: number | null): void {
    const known = tokens ?? this.#known.get(id) ?? null;
    this.#known.set(id, known);
    this.#messages.set(id, known);
  }

  has(id: string): boolean {
    return this.#messages.has(id);
  }

  /** Whether the message was ever written, taken back or not. */
  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** Whether a response with this id was ever written. */
  hasResponse(id: string): boolean {
    return (this.#known.get(id) ?? null) !== null;
  }

  /** Takes back this message and all later ones; all messages where it is not among them, as the agent does. */
  cutFrom(id: string): void {
    const ids = [...this.#messages.keys()];
    const from = Math.max(0, ids.indexOf(id));
    for (const each of ids.slice(from)) this.#messages.delete(each);
  }

  clear(): void {
    this.#messages = new Map();
  }

  lastResponse(): HistoryResponse | null {
    let last: HistoryResponse | null = null;
    for (const [id, tokens] of this.#messages) if (tokens !== null) last = { id, tokens };
    return last;
  }
}
