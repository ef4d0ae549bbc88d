import type { Compaction } from "../../../usage/api-response.ts";
import type { TranscriptEvent } from "../../agent-session.ts";

/**
 * A compaction whose row was read. It waits for the rows that show what began it and what it left. These follow within
 * milliseconds: Codex's own count of the context, then the prompt that was waiting, or the end of the turn.
 *
 * A manual compaction is a turn of its own, without a prompt; any other begins by itself.
 */
export class PendingCompaction {
  #open: Omit<Compaction, "trigger"> | null = null;
  /** Null where the rollout does not record where turns begin, as in older versions. */
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

  /** Returns the compaction if all its facts are known. */
  known(): TranscriptEvent[] {
    const isCounted = (this.#open?.postTokens ?? null) !== null;
    return isCounted && this.#isPrompted !== false ? this.settle("unknown") : [];
  }

  /**
   * Returns the compaction, if there is one, with the facts known so far.
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
