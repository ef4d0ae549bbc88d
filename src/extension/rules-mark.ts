import type { Disposable } from "../engine/base/disposable.ts";
import { Emitter } from "../engine/base/emitter.ts";

/** How many rules wait for the user: shown as a badge. */
export class RulesMark implements Disposable {
  readonly #changes = new Emitter<number>();
  readonly onChange = this.#changes.on;
  waiting = 0;

  set(waiting: number): void {
    if (waiting === this.waiting) return;
    this.waiting = waiting;
    this.#changes.fire(waiting);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
