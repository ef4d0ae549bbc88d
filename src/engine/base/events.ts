import { isDeepStrictEqual } from "node:util";

/** Holds a resource until it is disposed. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/**
 * Owns disposables and disposes them together, last added first. An error of one does not stop the others.
 */
export class DisposableList implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  add<Item extends Disposable>(item: Item): Item {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    const calls = this.#items
      .splice(0)
      .reverse()
      .map((item) => () => item.dispose());
    callAll(calls, "Something could not be let go");
  }
}

/**
 * A typed event. An error of one listener does not stop the others; all errors are thrown together at the end. A
 * listener that is disposed while the event fires is no longer called.
 */
export class Emitter<Value> implements Disposable {
  /** Entries instead of the functions themselves: one function may listen twice. */
  readonly #entries = new Set<{ readonly listener: (value: Value) => void }>();

  readonly on = (listener: (value: Value) => void): Disposable => {
    const entry = { listener };
    this.#entries.add(entry);
    return { dispose: () => this.#entries.delete(entry) };
  };

  fire(value: Value): void {
    const calls = [...this.#entries].map((entry) => () => {
      if (this.#entries.has(entry)) entry.listener(value);
    });
    callAll(calls, "A listener failed");
  }

  dispose(): void {
    this.#entries.clear();
  }
}

export class Observable<Value> implements Disposable {
  readonly #changes = new Emitter<Value>();
  readonly onChange = this.#changes.on;
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  /**
   * Sets the value and notifies listeners, unless it is deeply
   * equal to the present one.
   */
  set(value: Value): void {
    if (isDeepStrictEqual(value, this.#value)) return;
    this.#value = value;
    this.#changes.fire(value);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}

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

/** Makes every call even if others throw, then throws all errors together. */
function callAll(calls: Iterable<() => void>, failure: string): void {
  const errors: unknown[] = [];
  for (const call of calls) {
    try {
      call();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, failure);
}
