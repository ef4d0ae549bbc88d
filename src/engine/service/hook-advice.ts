import type { Disposable } from "../base/disposable.ts";
import type { SessionView } from "../context/session-view.ts";
import type { AdviceFigures } from "../guard/advice-warning.ts";
import type { ViewConfiguration } from "./protocol.ts";
import type { Borrowed } from "./shared-items.ts";
import type { ViewPool } from "./view-pool.ts";

/** How full a session's context is, as the service itself looks at it: with the settings that hold where nobody set any. */
export class HookAdvice implements Disposable {
  readonly #views: Pick<ViewPool, "view">;
  readonly #defaults: ViewConfiguration;
  #borrowed: Borrowed<{ readonly view: SessionView }> | undefined;

  constructor(views: Pick<ViewPool, "view">, defaults: ViewConfiguration) {
    this.#views = views;
    this.#defaults = defaults;
  }

  /** Undefined where that is not known. */
  readonly of = (sessionId: string): AdviceFigures | undefined => {
    this.#borrowed ??= this.#views.view(this.#defaults);
    const now = this.#borrowed.item.view.sessionNow(sessionId);
    if (now === undefined) return undefined;
    const { advice, occupancy, window, compactions } = now.session;
    if (occupancy.value === null || window.value === null) return undefined;
    const { measuredAt, noteLeft } = now;
    return { advice, tokens: occupancy.value, window: window.value, compactions, measuredAt, noteLeft };
  };

  dispose(): void {
    this.#borrowed?.dispose();
    this.#borrowed = undefined;
  }
}
