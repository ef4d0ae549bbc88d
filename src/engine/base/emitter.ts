import { callAll } from "./call-all.ts";
import type { Disposable } from "./disposable.ts";

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
