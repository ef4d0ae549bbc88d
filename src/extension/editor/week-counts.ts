import { isDeepStrictEqual } from "node:util";
import { Emitter, DisposableList, type Disposable } from "../../engine/base/events.ts";
import { LatestRequest } from "./latest-request.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** Milliseconds. */
const week = 7 * 24 * 60 * 60_000;
/** How long an answer counts as fresh, and the minimum time between two requests. Milliseconds. */
const [lasting, interval] = [60_000, 2000];

/** The ledger's counts of the last week, requested only while they are shown. */
export class WeekCounts<Counts> implements Disposable {
  readonly #changes = new Emitter<void>();
  /** Fires when the known counts change. */
  readonly onChange = this.#changes.on;
  readonly #now: () => number;
  readonly #count: (since: number, signal: AbortSignal) => Promise<Counts | undefined>;
  readonly #request: LatestRequest;
  readonly #owned = new DisposableList();
  #askedAt = -Infinity;
  /** Null while there is no service, or transcripts are still being read for the first time. */
  known: Counts | null = null;

  /**
   * @param now milliseconds since the epoch
   * @param count reads the counts since a time; undefined when they are not known
   */
  constructor(
    service: ServiceConnection,
    now: () => number,
    count: (since: number, signal: AbortSignal) => Promise<Counts | undefined>,
  ) {
    this.#now = now;
    this.#count = count;
    this.#request = this.#owned.add(new LatestRequest(interval, (signal) => this.#read(signal)));
    this.#owned.add(
      service.onChanged("ledgerChanged", (changed) => {
        const wasAsked = this.#askedAt !== -Infinity;
        // Of a new or lost service the counts are requested again, at the latest when they are shown.
        if (changed === undefined) this.#askedAt = -Infinity;
        if (wasAsked && (changed === undefined || this.known === null)) this.#request.soon();
      }),
    );
  }

  /** Called when the counts are shown: requests them unless they are fresh. @param isChanged whether to request other counts than before */
  want(isChanged = false): void {
    if (isChanged || this.#now() - this.#askedAt > lasting) this.#request.soon();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  async #read(signal: AbortSignal): Promise<void> {
    this.#askedAt = this.#now();
    const counts = await this.#count(this.#askedAt - week, signal);
    if (signal.aborted || counts === undefined) return;
    if (isDeepStrictEqual(counts, this.known)) return;
    this.known = counts;
    this.#changes.fire();
  }
}
