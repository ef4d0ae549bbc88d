import { callAll } from "./call-all.ts";
import type { Disposable } from "./disposable.ts";

/** A shared item, held until it is disposed. */
export interface Acquired<Item> extends Disposable {
  readonly item: Item;
}

interface Entry<Item> {
  readonly item: Item;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Reference-counted items: created on first use, shared by key, and disposed some time after the last user released them.
 */
export class RefCounted<Item extends Disposable> implements Disposable {
  readonly #entries = new Map<string, Entry<Item>>();
  readonly #keepFor: number;

  /** @param keepFor time an unused item is held for its next user; milliseconds */
  constructor(keepFor: number) {
    this.#keepFor = keepFor;
  }

  get items(): Item[] {
    return Array.from(this.#entries.values(), ({ item }) => item);
  }

  acquire(key: string, make: () => Item): Acquired<Item> {
    const entry = this.#entries.get(key) ?? { item: make(), users: 0, timer: undefined };
    this.#entries.set(key, entry);
    clearTimeout(entry.timer);
    entry.users += 1;
    let isOver = false;
    return {
      item: entry.item,
      dispose: () => {
        if (isOver) return;
        isOver = true;
        entry.users -= 1;
        const isHeld = this.#entries.get(key) === entry;
        if (entry.users === 0 && isHeld)
          entry.timer = setTimeout(() => this.#release(key, entry), this.#keepFor);
      },
    };
  }

  dispose(): void {
    const calls = Array.from(this.#entries, ([key, entry]) => () => {
      clearTimeout(entry.timer);
      this.#release(key, entry);
    });
    callAll(calls, "Something shared could not be let go");
  }

  #release(key: string, entry: Entry<Item>): void {
    this.#entries.delete(key);
    entry.item.dispose();
  }
}
