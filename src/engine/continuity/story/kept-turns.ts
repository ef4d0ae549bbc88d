import type { PastEvent } from "../../transcripts/past/past.ts";

/**
 * Tells which turns of a session are still part of its conversation. That a person went back is known only behind what was
 * left, so the events are told twice: first to find what was left, then without it.
 */
export class KeptTurns {
  /** Numbers of the prompts that were left, in the order of the file. */
  readonly #left: Set<number>;
  /** Numbers of the prompts that stand before the present event. */
  readonly #standing: number[] = [];
  #prompts = 0;
  #isChanged = false;

  constructor(left: ReadonlySet<number> = new Set()) {
    this.#left = new Set(left);
  }

  /** Numbers of the prompts that are known to be left. */
  get left(): ReadonlySet<number> {
    return this.#left;
  }

  /** Whether events were kept that turned out to be left: they must be told again. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Returns whether an event is part of the conversation, as far as is known. Subagents' calls have been made, whatever was left. */
  keeps(event: PastEvent): boolean {
    if (event.agentId !== null) return true;
    if (event.kind === "rewind") {
      for (const prompt of this.#standing.splice(-event.prompts)) {
        if (!this.#left.has(prompt)) this.#isChanged = true;
        this.#left.add(prompt);
      }
      return false;
    }
    if (event.kind === "prompt") {
      this.#standing.push(this.#prompts);
      this.#prompts += 1;
    }
    return !this.#left.has(this.#prompts - 1);
  }
}
