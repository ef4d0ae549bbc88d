import { DisposableList, type Disposable } from "../../../engine/base/disposable.ts";
import { Emitter } from "../../../engine/base/emitter.ts";
import { LatestRequest } from "../../editor/latest-request.ts";
import type { ServiceConnection } from "../../service/connection.ts";

/** Milliseconds. */
const week = 7 * 24 * 60 * 60_000;
/** How long an answer counts as fresh, and the minimum time between two requests. Milliseconds. */
const [lasting, interval] = [60_000, 2000];

/** How often each guard rule fired in the last week, requested only while it is shown. */
export class FiredCounts implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #service: ServiceConnection;
  readonly #now: () => number;
  readonly #ask: LatestRequest;
  readonly #owned = new DisposableList();
  #askedAt = -Infinity;
  /** Null while nothing is known. */
  known: ReadonlyMap<string, number> | null = null;

  /** @param now milliseconds since the epoch */
  constructor(service: ServiceConnection, now: () => number) {
    this.#service = service;
    this.#now = now;
    this.#ask = this.#owned.add(new LatestRequest(interval, (signal) => this.#count(signal)));
    this.#owned.add(
      service.onChanged("ledgerChanged", (changed) => {
        const wasAsked = this.#askedAt !== -Infinity;
        if (changed === undefined) this.#askedAt = -Infinity;
        if (wasAsked && (changed === undefined || this.known === null)) this.#ask.soon();
      }),
    );
  }

  /** Called when the counts are shown: requests them unless they are fresh. */
  want(): void {
    if (this.#now() - this.#askedAt > lasting) this.#ask.soon();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  async #count(signal: AbortSignal): Promise<void> {
    this.#askedAt = this.#now();
    const read = await this.#service.ask("guardCounts", { asked: this.#now() - week }, signal);
    if (signal.aborted || !read.ok) return;
    this.known = new Map(read.value.answer.map(({ rule, count }) => [rule, count]));
    this.#changes.fire();
  }
}
