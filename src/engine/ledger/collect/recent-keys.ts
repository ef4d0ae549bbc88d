/** The most recently added keys, up to a limit. */
export class RecentKeys {
  readonly #most: number;
  readonly #keys: Set<string>;

  constructor(most: number, keys: readonly string[]) {
    this.#most = most;
    this.#keys = new Set(keys);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#most) break;
      this.#keys.delete(oldest);
    }
  }

  delete(key: string): boolean {
    return this.#keys.delete(key);
  }

  /** Oldest first. */
  list(): string[] {
    return [...this.#keys];
  }
}
