import type { PastEvent } from "../../transcripts/past.ts";

/**
 * Decides which turns of a session are still part of its conversation. A file shows that a person went back
 * only after the abandoned turns. So the events are passed twice: first to find those turns, then without
 * them.
 */
export class KeptTurns {
  /** Numbers of the prompts that were left, in the order of the file. */
  readonly #left: Set<number>;
  /** Numbers of the prompts that stand before the present event. */
  readonly #remaining: number[] = [];
  #prompts = 0;
  #isChanged = false;

  constructor(left: ReadonlySet<number> = new Set()) {
    this.#left = new Set(left);
  }

  get left(): ReadonlySet<number> {
    return this.#left;
  }

  /** Whether kept events turned out to be abandoned, so that all must be passed again. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /**
   * Returns whether an event is part of the conversation as far as known. Subagents' calls stay, whatever was
   * abandoned.
   */
  keeps(event: PastEvent): boolean {
    if (event.agentId !== null) return true;
    if (event.kind === "rewind") {
      for (const prompt of this.#remaining.splice(-event.prompts)) {
        if (!this.#left.has(prompt)) this.#isChanged = true;
        this.#left.add(prompt);
      }
      return false;
    }
    if (event.kind === "prompt") {
      this.#remaining.push(this.#prompts);
      this.#prompts += 1;
    }
    return !this.#left.has(this.#prompts - 1);
  }
}
