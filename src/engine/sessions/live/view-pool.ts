import { type Disposable, RefCounted, type Acquired } from "../../base/events.ts";
import { SessionSource, type SourcePorts } from "./sessions-source.ts";
import { SessionView, type ViewPorts } from "./sessions-view.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { ViewConfiguration } from "../session-requests.ts";

export interface PoolPorts extends ViewPorts, Omit<SourcePorts, "roots" | "learn"> {
  readonly learn: (
    roots: readonly SessionRoot[],
    ...args: Parameters<SourcePorts["learn"]>
  ) => ReturnType<SourcePorts["learn"]>;
}

/** How long unused items stay, for terminals that ask repeatedly and windows that reopen. Milliseconds. */
const keepFor = 60_000;

/** Shares sources among clients with the same folders, and views among those with the same configuration. */
export class ViewPool implements Disposable {
  readonly #ports: PoolPorts;
  readonly #sources = new RefCounted<SessionSource>(keepFor);
  readonly #views = new RefCounted<Disposable & { readonly view: SessionView }>(keepFor);

  constructor(ports: PoolPorts) {
    this.#ports = ports;
  }

  get sizes(): { sources: number; views: number } {
    return { sources: this.#sources.items.length, views: this.#views.items.length };
  }

  /** Reads these folders even without viewers. */
  source(roots: readonly SessionRoot[]): Acquired<SessionSource> {
    const { learn, ...ports } = this.#ports;
    return this.#sources.acquire(JSON.stringify(roots), () => {
      const source = new SessionSource({ ...ports, roots, learn: (...args) => learn(roots, ...args) });
      void source.follow();
      return source;
    });
  }

  view(configuration: ViewConfiguration): Acquired<{ readonly view: SessionView }> {
    return this.#views.acquire(JSON.stringify(configuration), () => {
      const source = this.source(configuration.roots);
      const view = new SessionView(source.item, configuration, this.#ports);
      const dispose = () => {
        view.dispose();
        source.dispose();
      };
      return { view, dispose };
    });
  }

  /** Counts sessions with a process, and those that changed within this time. Milliseconds. */
  countLive(within: number): number {
    return this.#sources.items.reduce((sum, source) => sum + source.countLive(within), 0);
  }

  dispose(): void {
    this.#views.dispose();
    this.#sources.dispose();
  }
}
