import type { Disposable } from "./disposable.ts";

/** A typed event. A listener that throws does not keep the next from hearing; the first error is thrown after all heard. */
export class Emitter<Value> implements Disposable {
  readonly #listeners = new Set<(value: Value) => void>();

  readonly on = (listener: (value: Value) => void): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: Value): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "A listener failed");
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
