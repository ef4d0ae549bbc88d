/** Far more folders than agents work in at once. */
const maxEntries = 500;

/** Caches values computed from texts for a limited time. */
export class TtlCache<Value> {
  readonly #find: (text: string) => Value;
  readonly #trust: number;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly value: Value; readonly at: number }>();

  /**
   * @param options how long a value stays valid, and a clock that is never set back, both in
   * milliseconds
   */
  constructor(
    find: (text: string) => Value,
    { trust, now }: { readonly trust: number; readonly now: () => number },
  ) {
    this.#find = find;
    this.#trust = trust;
    this.#now = now;
  }

  get(text: string): Value {
    const now = this.#now();
    const known = this.#known.get(text);
    if (known !== undefined && now - known.at < this.#trust) return known.value;
    const value = this.#find(text);
    this.#known.delete(text);
    this.#known.set(text, { value, at: now });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxEntries && oldest !== undefined) this.#known.delete(oldest);
    return value;
  }
}
