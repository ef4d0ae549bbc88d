import * as z from "zod/mini";
import type { Parts } from "../../../transcripts/claude.ts";

/**
 * Maximum weight. Beyond it everything is dropped: fills are then unknown until the agent writes all messages again.
 */
const maxWeight = 40_000;
/** Approximate characters in the state per message, per part of one, and per place in a request. */
const weights = { message: 18, part: 9, place: 5 } as const;
/** Maximum remembered requests that later ones may extend. */
const maxRequests = 3;
const keyLength = 12;

export const hashedMessagesState = z.object({
  names: z.array(z.string()),
  /** By hash: pairs of a name's number and its characters; null for a message that no row described. */
  sizes: z.array(z.tuple([z.string(), z.nullable(z.array(z.int().check(z.nonnegative())))])),
  /** A request's id, and its messages as indexes into `sizes`. */
  requests: z.array(z.tuple([z.string(), z.array(z.int().check(z.nonnegative()))])),
});
export type HashedMessagesState = z.infer<typeof hashedMessagesState>;

/** The messages of the last requests by hash, with the sizes of their parts, within bounds. */
export class HashedMessages {
  /** By shortened hash; null for a message that no row described. */
  readonly #sizes = new Map<string, Parts | null>();
  readonly #requests = new Map<string, readonly string[]>();

  constructor(state: HashedMessagesState | null) {
    const { names = [], sizes = [], requests = [] } = state ?? {};
    for (const [hash, numbers] of sizes)
      this.#sizes.set(hash, numbers === null ? null : unpacked(names, numbers));
    for (const [id, indexes] of requests)
      this.#requests.set(
        id,
        indexes.map((index) => sizes[index]?.[0] ?? ""),
      );
  }

  setParts(hash: string, parts: Parts): void {
    this.#sizes.set(keyOf(hash), parts);
    this.#bound();
  }

  isKnown(hash: string): boolean {
    return (this.#sizes.get(keyOf(hash)) ?? null) !== null;
  }

  /** The messages of an earlier request, or null if it is no longer remembered. */
  of(request: string): readonly string[] | null {
    return this.#requests.get(request) ?? null;
  }

  /**
   * Records the messages of a request. A request without a base also drops messages that no remembered request has.
   *
   * @param base the request it extends
   */
  request(id: string, base: string | null, hashes: readonly string[]): void {
    const keys = hashes.map(keyOf);
    for (const key of keys) if (!this.#sizes.has(key)) this.#sizes.set(key, null);
    if (base !== null) this.#requests.delete(base);
    this.#requests.set(id, keys);
    if (this.#requests.size > maxRequests) this.#forgetOldest();
    if (base === null) this.#forgetUnused();
    this.#bound();
  }

  /** The sizes of a request's parts, summed over its messages, or null while one of them is unknown. */
  total(id: string): Map<string, number> | null {
    const total = new Map<string, number>();
    const keys = this.#requests.get(id);
    if (keys === undefined) return null;
    for (const key of keys) {
      const parts = this.#sizes.get(key) ?? null;
      if (parts === null) return null;
      for (const [name, chars] of parts) total.set(name, (total.get(name) ?? 0) + chars);
    }
    return total;
  }

  clear(): void {
    this.#sizes.clear();
    this.#requests.clear();
  }

  state(): HashedMessagesState {
    const names = [...new Set([...this.#sizes.values()].flatMap((parts) => [...(parts?.keys() ?? [])]))];
    const numbers = new Map(names.map((name, number) => [name, number]));
    const indexes = new Map([...this.#sizes.keys()].map((key, index) => [key, index]));
    return {
      names,
      sizes: [...this.#sizes].map(([key, parts]) => [
        key,
        parts === null ? null : [...parts].flatMap(([name, chars]) => [numbers.get(name) ?? 0, chars]),
      ]),
      requests: [...this.#requests].map(([id, keys]) => [id, keys.map((key) => indexes.get(key) ?? 0)]),
    };
  }

  #forgetOldest(): void {
    for (const oldest of this.#requests.keys()) {
      this.#requests.delete(oldest);
      return;
    }
  }

  #forgetUnused(): void {
    const used = new Set([...this.#requests.values()].flat());
    for (const key of this.#sizes.keys()) if (!used.has(key)) this.#sizes.delete(key);
  }

  #bound(): void {
    if (this.#weight() > maxWeight) this.clear();
  }

  #weight(): number {
    let weight = 0;
    for (const parts of this.#sizes.values()) weight += weights.message + (parts?.size ?? 0) * weights.part;
    for (const keys of this.#requests.values()) weight += keys.length * weights.place;
    return weight;
  }
}

function unpacked(names: readonly string[], numbers: readonly number[]): Parts {
  const parts = new Map<string, number>();
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const name = names[numbers[at] ?? 0];
    if (name !== undefined) parts.set(name, numbers[at + 1] ?? 0);
  }
  return parts;
}

function keyOf(hash: string): string {
  return hash.slice(0, keyLength);
}
