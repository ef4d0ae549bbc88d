/** Sessions that end without a word are forgotten when so many others came after them. */
const mostKept = 2000;

/** Remembers what each was told last, so that it is told once. */
export class OnceTold {
  readonly #told = new Map<string, string>();

  /** Whether it is another thing than `who` was told before. */
  isNew(who: string, what: string): boolean {
    const isKnown = this.#told.get(who) === what;
    // The one heard of last comes last.
    this.#told.delete(who);
    this.#told.set(who, what);
    const [oldest] = this.#told.keys();
    if (this.#told.size > mostKept && oldest !== undefined) this.#told.delete(oldest);
    return !isKnown;
  }
}
