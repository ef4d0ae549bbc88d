import type { Disposable } from "../engine/base/disposable.ts";
import { Emitter } from "../engine/base/emitter.ts";

/** What budgets add to the status bar item. */
export interface BudgetMark {
  /** How the worst of the limits that hold now stands. */
  readonly look: "default" | "warning" | "error";
  /** For a screen reader; empty where nothing is near. */
  readonly spoken: string;
  /** Rows of the tooltip's table: what, how much, whose. For sessions of these folders of the window. */
  readonly rows: readonly {
    readonly folders: readonly string[];
    readonly cells: readonly [name: string, value: string, whose: string];
  }[];
}

export const noMark: BudgetMark = { look: "default", spoken: "", rows: [] };

/** Where whoever watches budgets, whose code comes later, leaves what the status bar shows of them. */
export class BudgetMarkHolder implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  mark: BudgetMark = noMark;

  set(mark: BudgetMark): void {
    if (JSON.stringify(mark) === JSON.stringify(this.mark)) return;
    this.mark = mark;
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
