import type { Compaction } from "../../usage/api-response.ts";
import type { WindowEvidence } from "../window.ts";

/** A compaction, with the window evidence of that time: the model may have changed since. */
export interface CompactionInChain {
  readonly compaction: Compaction;
  /** Null when no response came before it. */
  readonly evidence: WindowEvidence | null;
  /** Time of the last response before it. Milliseconds since the epoch; null where unknown. */
  readonly answeredAt?: number | null;
}

/** Long enough to distinguish prompts without a time. Characters. */
const maxKeyLength = 100;

/**
 * Turns, prompts and compactions of one conversation. Agents rewrite files without older rows, which still count. So a
 * history can continue an earlier one. Repeated rows are then not counted twice.
 */
export class ChainHistory {
  /** API responses, each once. */
  turns = 0;
  prompts = 0;
  readonly compactions: CompactionInChain[] = [];
  /** By the prompt's time, else by its text. */
  readonly #prompts = new Tally<number | string>();
  /** Parts of the earlier history that were not read again yet: turns by message, prompts, indexes of compactions. */
  readonly #turnsBefore = new Tally<string>();
  readonly #promptsBefore = new Tally<number | string>();
  readonly #compactionsBefore = new Set<number>();
  /** Index of the compaction that was read last. */
  #lastRead = -1;

  /** @param turns number of responses in the earlier history, by message id */
  goOnFrom(earlier: ChainHistory, turns: Iterable<readonly [string, number]>): void {
    this.turns = earlier.turns;
    this.prompts = earlier.prompts;
    this.compactions.push(...earlier.compactions);
    this.#turnsBefore.addAll(earlier.#turnsBefore.counts);
    this.#turnsBefore.addAll(turns);
    this.#promptsBefore.addAll(earlier.#promptsBefore.counts);
    this.#promptsBefore.addAll(earlier.#prompts.counts);
    for (const index of this.compactions.keys()) this.#compactionsBefore.add(index);
  }

  /**
   * Adds the ledger's data on earlier files; all of it precedes the rows that were read.
   * @param messages of responses that no file contains any more
   */
  addStored(
    messages: readonly string[],
    {
      prompts,
      compactions,
    }: { readonly prompts: readonly number[]; readonly compactions: readonly Compaction[] },
  ): void {
    this.turns += messages.length;
    this.#turnsBefore.addAll(messages.map((message) => [message, 1]));
    const sent = prompts.filter((at) => !this.#prompts.has(at) && !this.#promptsBefore.has(at));
    this.prompts += sent.length;
    this.#promptsBefore.addAll(sent.map((at) => [at, 1]));
    for (const compaction of compactions) {
      if (this.compactions.some((known) => isSame(known.compaction, compaction))) continue;
      this.#insert({ compaction, evidence: null });
    }
  }

  /** Inserts a compaction of earlier files at its time: the last one stays the last. */
  #insert(found: CompactionInChain): void {
    const at = found.compaction.at ?? -Infinity;
    const later = this.compactions.findIndex(({ compaction }) => (compaction.at ?? Infinity) > at);
    const index = later === -1 ? this.compactions.length : later;
    this.compactions.splice(index, 0, found);
    const before = [...this.#compactionsBefore].map((each) => (each >= index ? each + 1 : each));
    this.#compactionsBefore.clear();
    for (const each of [...before, index]) this.#compactionsBefore.add(each);
    if (this.#lastRead >= index) this.#lastRead += 1;
  }

  /** Returns whether the response was in no earlier file. */
  turn(messageId: string): boolean {
    const isNew = !this.#turnsBefore.take(messageId);
    if (isNew) this.turns += 1;
    return isNew;
  }

  prompt({ at, text }: { readonly at: number | null; readonly text: string }): void {
    const key = at ?? text.slice(0, maxKeyLength);
    if (!this.#promptsBefore.take(key)) this.prompts += 1;
    this.#prompts.addAll([[key, 1]]);
  }

  /** If an earlier file had the compaction, its evidence stays: it was more than the file still has. */
  compaction(found: CompactionInChain): void {
    const known = [...this.#compactionsBefore].find((index) =>
      isSame(this.compactions[index]?.compaction, found.compaction),
    );
    if (known === undefined) this.compactions.push(found);
    else this.#compactionsBefore.delete(known);
    this.#lastRead = known ?? this.compactions.length - 1;
  }

  /** The compaction that was read last did not wait for a full window. */
  earlyCompaction(): void {
    const last = this.compactions[this.#lastRead];
    if (last === undefined) return;
    this.compactions[this.#lastRead] = { ...last, compaction: { ...last.compaction, isEarly: true } };
  }
}

class Tally<Key> {
  readonly counts = new Map<Key, number>();

  has(key: Key): boolean {
    return this.counts.has(key);
  }

  addAll(counts: Iterable<readonly [Key, number]>): void {
    for (const [key, count] of counts) this.counts.set(key, count + (this.counts.get(key) ?? 0));
  }

  take(key: Key): boolean {
    const count = this.counts.get(key) ?? 0;
    if (count > 1) this.counts.set(key, count - 1);
    else this.counts.delete(key);
    return count > 0;
  }
}

function isSame(one: Compaction | undefined, other: Compaction): boolean {
  return one?.at === other.at && one.trigger === other.trigger && one.preTokens === other.preTokens;
}
