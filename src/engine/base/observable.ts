import { isDeepStrictEqual } from "node:util";
import type { Disposable } from "./disposable.ts";
import { Emitter } from "./emitter.ts";

/** A value that others watch. */
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

  /** Tells those who watch, unless it is the same value again. */
  set(value: Value): void {
    if (isDeepStrictEqual(value, this.#value)) return;
    this.#value = value;
    this.#changes.fire(value);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
