import { DisposableList, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { FoundCompaction } from "../learn.ts";
import { SessionFeed, type FeedPorts } from "./feed.ts";
import type { SessionReader } from "./reader.ts";
import type { SessionSnapshot } from "../snapshot.ts";

export interface SourcePorts extends FeedPorts {
  /** Looks through all transcripts for automatic compactions, off this thread. */
  readonly learn: (signal: AbortSignal) => Promise<readonly FoundCompaction[]>;
  readonly onProblem: (message: string) => void;
}

/** Where the system's watching fails (network folders), a change is still seen within this time. Milliseconds. */
const pollInterval = 2000;
/** A session that changed within this time may well change again. Milliseconds. */
const lively = 2 * 60 * 60_000;
/** Compactions of sessions in view count at once; those of sessions that left it are looked for again. Milliseconds. */
const learnInterval = 24 * 60 * 60_000;

/** Reads the sessions of some transcript folders, once for all who look at them. */
export class SessionSource implements Disposable {
  readonly #changes = new Emitter<void>();
  /** Something may have changed. Nothing is told before all that was there at the start has been read. */
  readonly onChange = this.#changes.on;
  readonly roots: readonly string[];
  readonly feed: SessionFeed;
  readonly #ports: SourcePorts;
  readonly #owned = new DisposableList();
  readonly #stop = new AbortController();
  #following: Promise<void> | undefined;
  #learned: Promise<void> | undefined;
  /** How each session was last described to anybody, so that advice does not flicker, nor differ between two who look. */
  readonly described = new WeakMap<object, SessionSnapshot>();
  /** Automatic compactions of all transcripts, as they were found last. */
  found: readonly FoundCompaction[] = [];

  constructor(ports: SourcePorts) {
    this.#ports = ports;
    this.roots = ports.roots;
    this.feed = this.#owned.add(new SessionFeed(ports));
  }

  /** Goes on reading as files grow. Ends when all that was there has been read and learned from, or when it stops. */
  follow(): Promise<void> {
    this.#following ??= this.#follow();
    return this.#following;
  }

  /** Reads what there is at this moment; what changed is told to all who look. */
  async refresh(): Promise<void> {
    await this.#following;
    if (this.#isOver()) return;
    this.feed.readOnce();
    await this.#learnOnce();
    this.#changes.fire();
  }

  /** Sessions with a process, and those that changed within this time. Milliseconds. */
  countLive(within: number): number {
    return this.#readers().filter((reader) => this.isLive(reader, within)).length;
  }

  /** Has the session a process, or did it change within this time? Milliseconds. */
  isLive({ id, account }: SessionReader, within: number): boolean {
    const age = this.#ports.clock.now() - (account.lastActivity ?? -Infinity);
    return age < within || this.feed.running.has(id);
  }

  dispose(): void {
    this.#stop.abort();
    this.#owned.dispose();
    this.#changes.dispose();
  }

  async #follow(): Promise<void> {
    this.#every(pollInterval, () => this.#poll());
    this.#every(learnInterval, () => {
      this.#learned = this.#learn();
    });
    const read = new Promise<void>((resolve) => {
      this.#stop.signal.addEventListener("abort", () => resolve(), { once: true });
      this.feed.onChange(() => {
        if (!this.feed.complete) return;
        resolve();
        this.#changes.fire();
      });
    });
    this.feed.start();
    await Promise.all([read, this.#learnOnce()]);
    this.#changes.fire();
  }

  #every(interval: number, job: () => void): void {
    const timer = setInterval(job, interval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
  }

  /** What is said of time may have changed even where no file did. */
  #poll(): void {
    if (!this.feed.complete) return;
    this.feed.poll(this.#readers().filter((reader) => this.isLive(reader, lively)));
    this.#changes.fire();
  }

  #learnOnce(): Promise<void> {
    this.#learned ??= this.#learn();
    return this.#learned;
  }

  /** What was found before stays where the search fails, or the source stops. */
  async #learn(): Promise<void> {
    if (this.#isOver()) return;
    try {
      const found = await this.#ports.learn(this.#stop.signal);
      if (!this.#isOver()) this.found = found;
    } catch (error) {
      this.#ports.onProblem(`Learning from past compactions failed: ${String(error)}`);
    }
  }

  #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  #readers(): SessionReader[] {
    return [...this.feed.readers.values()];
  }
}
