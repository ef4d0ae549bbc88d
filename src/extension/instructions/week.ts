import { Emitter, DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { WeekOfUse } from "../../engine/instructions/section-rent.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** Milliseconds. */
const week = 7 * 24 * 60 * 60_000;
/** How long an answer counts as fresh. Milliseconds. */
const lasting = 60_000;
/** Wakes of a week that are counted. */
const maxWakes = 20_000;
/** Minimum time between two requests. Milliseconds. */
const interval = 2000;

/** The ledger's counts of the last week, requested only while they are shown. */
export class RentWeek implements Disposable {
  readonly #changes = new Emitter<WeekOfUse | null>();
  /** Fires when the known counts change. */
  readonly onChange = this.#changes.on;
  readonly #service: ServiceConnection;
  readonly #now: () => number;
  readonly #ask: LatestRequest;
  readonly #owned = new DisposableList();
  #askedAt = -Infinity;
  #wantsWakes = false;
  /** Null while there is no service, or transcripts are still being read for the first time. */
  known: WeekOfUse | null = null;

  /** @param now milliseconds since the epoch */
  constructor(service: ServiceConnection, now: () => number) {
    this.#service = service;
    this.#now = now;
    this.#ask = this.#owned.add(new LatestRequest(interval, (signal) => this.#count(signal)));
    this.#owned.add(
      service.onChanged("ledgerChanged", (changed) => {
        if (changed === undefined) this.#askAnew();
        else if (this.known === null && this.#askedAt !== -Infinity) this.#ask.soon();
      }),
    );
  }

  /**
   * Called when the counts are shown: requests them unless they are fresh.
   * @param wakes whether to request wakes of recurring agents too from now on
   */
  want({ wakes = false } = {}): void {
    const isNew = wakes && !this.#wantsWakes;
    this.#wantsWakes ||= wakes;
    if (isNew || this.#now() - this.#askedAt > lasting) this.#ask.soon();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /**
   * Handles a new or lost service: requests the counts again if they were requested before, else waits until they are
   * shown.
   */
  #askAnew(): void {
    const wasAsked = this.#askedAt !== -Infinity;
    this.#askedAt = -Infinity;
    if (wasAsked) this.#ask.soon();
  }

  async #count(signal: AbortSignal): Promise<void> {
    this.#askedAt = this.#now();
    const since = this.#askedAt - week;
    const read = await this.#service.ask("useCounts", { asked: since }, signal);
    if (!read.ok || read.value.freshness.asOf === null) return;
    const wakes = this.#wantsWakes ? await this.#countWakes(since, signal) : undefined;
    if (signal.aborted) return;
    const counts = { ...read.value.answer, ...(wakes === undefined ? {} : { wakes }) };
    if (JSON.stringify(counts) === JSON.stringify(this.known)) return;
    this.known = counts;
    this.#changes.fire(counts);
  }

  /** Undefined where they are not known. */
  async #countWakes(since: number, signal: AbortSignal): Promise<WeekOfUse["wakes"]> {
    const asked = { since, project: null, most: maxWakes };
    const read = await this.#service.ask("wakes", { asked }, signal);
    if (!read.ok) return undefined;
    return read.value.answer.map(({ agent, project, reason, outcome }) => ({
      agent,
      project,
      reason,
      outcome,
    }));
  }
}
