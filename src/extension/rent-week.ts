import { DisposableList, type Disposable } from "../engine/base/disposable.ts";
import { Emitter } from "../engine/base/emitter.ts";
import type { WeekOfUse } from "../engine/compare/section-rent.ts";
import type { ServiceClient } from "../engine/service/service-client.ts";
import { LatestAsk } from "./latest-ask.ts";

/** Milliseconds. */
const week = 7 * 24 * 60 * 60_000;
/** What was told is taken for true so long. Milliseconds. */
const lasting = 60_000;
/** Between two questions. Milliseconds. */
const interval = 2000;

/** The way to the service, which comes and goes. */
export interface WeekLink {
  readonly client: Pick<ServiceClient, "useCounts" | "onLedgerChanged"> | undefined;
  onClient(listener: () => void): Disposable;
}

/** What the ledger knows of the last week, asked for only while somebody shows it. */
export class RentWeek implements Disposable {
  readonly #changes = new Emitter<WeekOfUse | null>();
  /** What is known is another than it was. */
  readonly onChange = this.#changes.on;
  readonly #link: WeekLink;
  readonly #now: () => number;
  readonly #ask: LatestAsk;
  readonly #owned = new DisposableList();
  #news: Disposable | undefined;
  #askedAt = -Infinity;
  /** Null while nobody can be asked, or transcripts are still being read for the first time. */
  known: WeekOfUse | null = null;

  /** @param now milliseconds since the epoch */
  constructor(link: WeekLink, now: () => number) {
    this.#link = link;
    this.#now = now;
    this.#ask = this.#owned.add(new LatestAsk(interval, (signal) => this.#look(signal)));
    this.#owned.add({ dispose: () => this.#news?.dispose() });
    this.#owned.add(link.onClient(() => this.#attach()));
    this.#attach();
  }

  /** Somebody shows it now. */
  want(): void {
    if (this.#now() - this.#askedAt > lasting) this.#ask.soon();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Nothing is asked until somebody wants it, unless they saw that nobody knew. */
  #attach(): void {
    const wasAsked = this.#askedAt !== -Infinity;
    this.#askedAt = -Infinity;
    this.#news?.dispose();
    this.#news = this.#link.client?.onLedgerChanged(() => {
      if (this.known === null && this.#askedAt !== -Infinity) this.#ask.soon();
    });
    if (wasAsked && this.#link.client !== undefined) this.#ask.soon();
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#askedAt = this.#now();
    const asked = await this.#link.client?.useCounts(this.#now() - week, signal);
    if (signal.aborted || asked?.ok !== true || asked.value.freshness.asOf === null) return;
    const { sessions, subagents, skills, charactersPerToken } = asked.value;
    const told = { sessions, subagents, skills, charactersPerToken };
    if (JSON.stringify(told) === JSON.stringify(this.known)) return;
    this.known = told;
    this.#changes.fire(told);
  }
}
