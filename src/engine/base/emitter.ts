import { callAll } from "./call-all.ts";
import type { Disposable } from "./disposable.ts";

/**
 * A typed event. A listener that throws does not keep the others from hearing; what was thrown is thrown together after
 * all have heard. A listener let go while the event fires does not hear it any more.
 */
export class Emitter<Value> implements Disposable {
  /** Entries, not the functions themselves: one function may listen twice. */
  readonly #entries = new Set<{ readonly hear: (value: Value) => void }>();

  readonly on = (listener: (value: Value) => void): Disposable => {
    const entry = { hear: listener };
    this.#entries.add(entry);
    return { dispose: () => this.#entries.delete(entry) };
  };

  fire(value: Value): void {
    const calls = [...this.#entries].map((entry) => () => {
      if (this.#entries.has(entry)) entry.hear(value);
    });
    callAll(calls, "A listener failed");
  }

  dispose(): void {
    this.#entries.clear();
  }
}
