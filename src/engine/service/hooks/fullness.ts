import type { Disposable } from "../../base/disposable.ts";
import type { ContextNow, SessionView } from "../../context/sessions/view.ts";
import type { AdviceFigures } from "../../guard/advice/warning.ts";
import type { ViewConfiguration } from "../../wire/service.ts";
import type { Acquired } from "../../base/ref-counted.ts";
import type { ViewPool } from "../view-pool.ts";

type View = Acquired<{ readonly view: SessionView }>;

/**
 * Provides how full a context is, in the service's own views: with the folders and environment of the last window, else its
 * own.
 */
export class HookAdvice implements Disposable {
  readonly #views: Pick<ViewPool, "view">;
  readonly #defaults: ViewConfiguration;
  #reported: ViewConfiguration | undefined;
  #borrowed: readonly View[] = [];

  constructor(views: Pick<ViewPool, "view">, defaults: ViewConfiguration) {
    this.#views = views;
    this.#defaults = defaults;
  }

  /** Uses the configuration of a window from now on. */
  setWindow({ roots, env, folders }: ViewConfiguration): void {
    const before = this.#borrowed;
    // Reduced to what windows send, so that both share a view.
    this.#reported = { roots, env, folders };
    // Borrows before disposing, so that sources in both keep being read.
    this.#borrowed = before.length === 0 ? [] : this.#borrow();
    for (const view of before) view.dispose();
  }

  /** Returns undefined if unknown. */
  readonly of = (sessionId: string, agentId?: string): AdviceFigures | undefined => {
    if (this.#borrowed.length === 0) this.#borrowed = this.#borrow();
    for (const { item } of this.#borrowed) {
      const now = item.view.contextNow(sessionId, agentId);
      if (now !== undefined) return figuresOf(now);
    }
    return undefined;
  };

  dispose(): void {
    for (const view of this.#borrowed) view.dispose();
    this.#borrowed = [];
  }

  #borrow(): View[] {
    const configurations = this.#reported === undefined ? [this.#defaults] : [this.#reported, this.#defaults];
    return configurations.map((configuration) => this.#views.view(configuration));
  }
}

function figuresOf({ occupancy, window, ...rest }: ContextNow): AdviceFigures | undefined {
  if (occupancy.value === null || window.value === null) return undefined;
  return { ...rest, tokens: occupancy.value, window: window.value };
}
