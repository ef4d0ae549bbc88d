import type { Compaction } from "../../../usage/compaction.ts";
import type { TranscriptEvent } from "../../event.ts";

/**
 * A compaction whose row was read, until the rows after it tell what began it and what it left. These follow within
 * milliseconds: Codex's own count of the context, then the prompt that was waiting, or the end of the turn.
 *
 * A compaction asked for is a turn of its own, without a prompt; any other begins by itself.
 */
export class PendingCompaction {
  #open: Omit<Compaction, "trigger"> | null = null;
  /** Null where the rollout does not tell where turns begin, as in older versions. */
  #isPrompted: boolean | null = null;

  begin(at: number | null, preTokens: number | null): void {
    this.#open = { at, preTokens, postTokens: null };
  }

  /** Handles Codex's own count of the context. Returns whether it belongs to the compaction. */
  count(tokens: number): boolean {
    if (this.#open === null) return false;
    this.#open = { ...this.#open, postTokens: tokens };
    return true;
  }

  turnBegan(): void {
    this.#isPrompted = false;
  }

  prompted(): void {
    if (this.#isPrompted !== null) this.#isPrompted = true;
  }

  /** Returns the compaction if all is known about it. */
  known(): TranscriptEvent[] {
    const isCounted = (this.#open?.postTokens ?? null) !== null;
    return isCounted && this.#isPrompted !== false ? this.settle("unknown") : [];
  }

  /**
   * Returns the compaction, if there is one, with what is known about it by now.
   *
   * @param trigger what began it if its turn had no prompt
   */
  settle(trigger: Compaction["trigger"]): TranscriptEvent[] {
    if (this.#open === null) return [];
    const cause = this.#isPrompted === null ? "unknown" : this.#isPrompted ? "auto" : trigger;
    const compaction = { ...this.#open, trigger: cause };
    this.#open = null;
    return [{ kind: "compaction", compaction }];
  }
}
