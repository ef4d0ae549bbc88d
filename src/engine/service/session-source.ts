import { DisposableList, type Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import type { FoundCompaction } from "../context/learn.ts";
import { SessionFeed, type FeedPorts } from "../context/session-feed.ts";
import type { SessionReader } from "../context/session-reader.ts";

export interface SourcePorts extends FeedPorts {
  /** Looks through all transcripts for automatic compactions, off this thread. */
  readonly learn: (signal: AbortSignal) => Promise<readonly FoundCompaction[]>;
  readonly onProblem: (message: string) => void;
}

/** Where the system's watching fails (network folders), a change is still seen within this time. Milliseconds. */
const pollInterval = 2000;
/** A session that changed within this time may well change again. Milliseconds. */
const lively = 2 * 60 * 60_000;
/** What was followed and is recent no more is let go by beginning anew when so many are followed. */
const mostReaders = 200;

/** Reads the sessions of some transcript folders, once for all who look at them, for as long as the service runs. */
export class SessionSource implements Disposable {
  readonly #changes = new Emitter<void>();
  /** Something may have changed. Nothing is told before all that was there at the start has been read. */
  readonly onChange = this.#changes.on;
  readonly roots: readonly string[];
  readonly #ports: SourcePorts;
  readonly #owned = new DisposableList();
  readonly #stop = new AbortController();
  /** Ends when all that was there at the start has been read and learned from, or when it stops. */
  readonly #ready: Promise<void>;
  #feed: SessionFeed;
  #next: SessionFeed | undefined;
  /** Automatic compactions of all transcripts, as they were found last. */
  found: readonly FoundCompaction[] = [];

  constructor(ports: SourcePorts) {
    this.#ports = ports;
    this.roots = ports.roots;
    this.#feed = new SessionFeed(ports);
    this.#ready = this.#start();
  }

  get feed(): SessionFeed {
    return this.#feed;
  }

  /** Reads what there is at this moment; what changed is told to all who look. */
  async refresh(): Promise<void> {
    await this.#ready;
    if (this.#stop.signal.aborted) return;
    this.#feed.readOnce();
    this.#changes.fire();
  }

  /** Sessions with a process, and those that changed within this time. Milliseconds. */
  countLive(within: number): number {
    return this.#readers().filter((reader) => this.#isLive(reader, within)).length;
  }

  dispose(): void {
    this.#stop.abort();
    this.#owned.dispose();
    this.#feed.dispose();
    this.#next?.dispose();
    this.#changes.dispose();
  }

  async #start(): Promise<void> {
    const timer = setInterval(() => this.#poll(), pollInterval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
    const learning = this.#learn();
    await this.#follow(this.#feed);
    await learning;
    this.#changes.fire();
  }

  #poll(): void {
    if (!this.#feed.complete) return;
    this.#feed.poll(this.#readers().filter((reader) => this.#isLive(reader, lively)));
    this.#changes.fire();
    if (this.#feed.readers.size > mostReaders && this.#next === undefined) void this.#renew();
  }

  /** Ends when the feed has read all there is. */
  async #follow(feed: SessionFeed): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#stop.signal.addEventListener("abort", () => resolve(), { once: true });
      feed.onChange(() => {
        if (feed.complete) resolve();
        if (feed === this.#feed && feed.complete) this.#changes.fire();
      });
      feed.start();
    });
  }

  /** What is looked at stays until the new feed has read all. */
  async #renew(): Promise<void> {
    this.#next = new SessionFeed(this.#ports);
    const learning = this.#learn();
    await this.#follow(this.#next);
    await learning;
    if (this.#stop.signal.aborted) return;
    this.#feed.dispose();
    this.#feed = this.#next;
    this.#next = undefined;
    this.#changes.fire();
  }

  async #learn(): Promise<void> {
    try {
      this.found = await this.#ports.learn(this.#stop.signal);
    } catch (error) {
      this.#ports.onProblem(`Learning from past compactions failed: ${String(error)}`);
    }
  }

  #readers(): SessionReader[] {
    return [...this.#feed.readers.values()];
  }

  #isLive({ id, account }: SessionReader, within: number): boolean {
    const age = this.#ports.clock.now() - (account.lastActivity ?? -Infinity);
    return age < within || this.#feed.running.has(id);
  }
}
