import type { Disposable } from "../../base/disposable.ts";
import type { ContextNow, SessionView } from "../../sessions/live/sessions-view.ts";
import type { AdviceFigures } from "./warning.ts";
import type { ViewConfiguration } from "../../sessions/session-requests.ts";
import type { Acquired } from "../../base/ref-counted.ts";

type View = Acquired<{ readonly view: Pick<SessionView, "contextNow"> }>;

interface Views {
  view(configuration: ViewConfiguration): View;
}

/**
 * Provides how full a context is, in the service's own views. Uses the folders and environment of the last
 * window, otherwise its own.
 */
export class HookAdvice implements Disposable {
  readonly #views: Views;
  readonly #defaults: ViewConfiguration;
  #window: ViewConfiguration | undefined;
  #acquired: readonly View[] = [];

  constructor(views: Views, defaults: ViewConfiguration) {
    this.#views = views;
    this.#defaults = defaults;
  }

  /** Uses the configuration of a window from now on. */
  setWindow({ roots, env, folders }: ViewConfiguration): void {
    const before = this.#acquired;
    // Reduced to what windows send, so that both share a view.
    this.#window = { roots, env, folders };
    // Borrows before disposing, so that sources in both keep being read.
    this.#acquired = before.length === 0 ? [] : this.#acquire();
    for (const view of before) view.dispose();
  }

  /** Returns undefined if unknown. */
  readonly of = (sessionId: string, agentId?: string): AdviceFigures | undefined => {
    if (this.#acquired.length === 0) this.#acquired = this.#acquire();
    for (const { item } of this.#acquired) {
      const now = item.view.contextNow(sessionId, agentId);
      if (now !== undefined) return figuresOf(now);
    }
    return undefined;
  };

  dispose(): void {
    for (const view of this.#acquired) view.dispose();
    this.#acquired = [];
  }

  #acquire(): View[] {
    const configurations = this.#window === undefined ? [this.#defaults] : [this.#window, this.#defaults];
    return configurations.map((configuration) => this.#views.view(configuration));
  }
}

function figuresOf({ occupancy, window, ...rest }: ContextNow): AdviceFigures | undefined {
  if (occupancy.value === null || window.value === null) return undefined;
  return { ...rest, tokens: occupancy.value, window: window.value };
}
