import { isDeepStrictEqual } from "node:util";
import type { Disposable } from "./disposable.ts";
import { Emitter } from "./emitter.ts";

/** A value with change events. */
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
