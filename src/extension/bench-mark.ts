import type { Disposable } from "../engine/base/disposable.ts";
import { Emitter } from "../engine/base/emitter.ts";

/** What a benchmark that goes on adds to the status bar item. */
export interface BenchMark {
  /** `7/24`. */
  readonly text: string;
  /** For a screen reader and the tooltip. */
  readonly spoken: string;
}

/** Where whoever watches benches, whose code comes later, leaves what the status bar shows of them. */
export class BenchMarkHolder implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  mark: BenchMark | undefined;

  set(mark: BenchMark | undefined): void {
    if (mark?.text === this.mark?.text && mark?.spoken === this.mark?.spoken) return;
    this.mark = mark;
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
