import { DisposableList, type Disposable } from "../../engine/base/disposable.ts";
import { Emitter } from "../../engine/base/emitter.ts";
import type { WeekOfUse } from "../../engine/instructions/section-rent.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** Milliseconds. */
const week = 7 * 24 * 60 * 60_000;
/** What was told is taken for true so long. Milliseconds. */
const lasting = 60_000;
/** Between two questions. Milliseconds. */
const interval = 2000;

/** What the ledger knows of the last week, asked for only while somebody shows it. */
export class RentWeek implements Disposable {
  readonly #changes = new Emitter<WeekOfUse | null>();
  /** What is known is another than it was. */
  readonly onChange = this.#changes.on;
  readonly #service: ServiceConnection;
  readonly #now: () => number;
  readonly #ask: LatestAsk;
  readonly #owned = new DisposableList();
  #askedAt = -Infinity;
  /** Null while nobody can be asked, or transcripts are still being read for the first time. */
  known: WeekOfUse | null = null;

  /** @param now milliseconds since the epoch */
  constructor(service: ServiceConnection, now: () => number) {
    this.#service = service;
    this.#now = now;
    this.#ask = this.#owned.add(new LatestAsk(interval, (signal) => this.#look(signal)));
    this.#owned.add(
      service.onChanged("ledgerChanged", (changed) => {
        if (changed === undefined) this.#askAnew();
        else if (this.known === null && this.#askedAt !== -Infinity) this.#ask.soon();
      }),
    );
  }

  /** Somebody shows it now. */
  want(): void {
    if (this.#now() - this.#askedAt > lasting) this.#ask.soon();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** There is another service, or none: nothing is asked until somebody wants it, unless they saw that nobody knew. */
  #askAnew(): void {
    const wasAsked = this.#askedAt !== -Infinity;
    this.#askedAt = -Infinity;
    if (wasAsked) this.#ask.soon();
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#askedAt = this.#now();
    const read = await this.#service.ask("useCounts", { asked: this.#now() - week }, signal);
    if (signal.aborted || !read.ok || read.value.freshness.asOf === null) return;
    const told = read.value.answer;
    if (JSON.stringify(told) === JSON.stringify(this.known)) return;
    this.known = told;
    this.#changes.fire(told);
  }
}
