import { isThere } from "../../base/files.ts";
import { Emitter, DisposableList, type Disposable } from "../../base/events.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { FoundCompaction } from "../learn.ts";
import { SessionFeed, type FeedPorts } from "./sessions-feed.ts";
import type { SessionReader } from "./reader.ts";
import type { StoredWorkTaker } from "./stored-work-taker.ts";
import type { SessionSnapshot } from "../snapshot.ts";

type SeenRoot = SessionRoot & { readonly exists: boolean };

export interface SourcePorts extends FeedPorts {
  /**
   * Searches all transcripts for automatic compactions, off this thread.
   * @param onMore called with all of them if some take longer to find
   */
  readonly learn: (
    signal: AbortSignal,
    onMore: (found: readonly FoundCompaction[]) => void,
  ) => Promise<readonly FoundCompaction[]>;
  /**
   * Creates the taker that adds the ledger's data to sessions. Without it, sessions contain only data from their files.
   */
  readonly taker?: () => Pick<StoredWorkTaker, "take">;
  readonly onProblem: (message: string) => void;
}

/** Where file watching fails (network folders), a change is still seen within this time. Milliseconds. */
const pollInterval = 2000;
/** Figures that change with time, such as the state of a cache, are renewed at this interval. Milliseconds. */
const renewInterval = 10_000;
/** Sessions that changed within this time are polled: they may well change again. Milliseconds. */
const lively = 2 * 60 * 60_000;
/** Compactions of sessions in view count at once; this interval finds those of sessions that left it. Milliseconds. */
const learnInterval = 24 * 60 * 60_000;

/** All views are updated within this time, and need to check the roots only once. Milliseconds. */
const rootsLife = 250;

export class SessionSource implements Disposable {
  readonly #changes = new Emitter<void>();
  /** Fires when something may have changed, but not before everything present at the start has been read. */
  readonly onChange = this.#changes.on;
  readonly roots: FeedPorts["roots"];
  readonly feed: SessionFeed;
  readonly #ports: SourcePorts;
  readonly #owned = new DisposableList();
  readonly #stop = new AbortController();
  readonly #taker: Pick<StoredWorkTaker, "take"> | undefined;
  #following: Promise<void> | undefined;
  #learned: Promise<void> | undefined;
  /** Last snapshot of each session for any client, so that advice neither flickers nor differs between clients. */
  readonly described = new WeakMap<object, SessionSnapshot>();
  #rootsSeen: { readonly roots: readonly SeenRoot[]; readonly at: number } | undefined;
  /** Automatic compactions of all transcripts, as last found. */
  found: readonly FoundCompaction[] = [];

  constructor(ports: SourcePorts) {
    this.#ports = ports;
    this.roots = ports.roots;
    this.feed = this.#owned.add(new SessionFeed(ports));
    this.#taker = ports.taker?.();
  }

  /** Keeps reading as files grow. Resolves when everything present has been read and learned from, or when stopped. */
  follow(): Promise<void> {
    this.#following ??= this.#follow();
    return this.#following;
  }

  /** Reads the current state once and notifies all views. */
  async refresh(): Promise<void> {
    await this.#following;
    if (this.#isOver()) return;
    await Promise.all([this.feed.readOnce(), this.#learnOnce()]);
    this.#changes.fire();
  }

  /** The transcript folders, and which of them exist. */
  rootsNow(): readonly SeenRoot[] {
    const now = performance.now();
    if (this.#rootsSeen === undefined || now - this.#rootsSeen.at >= rootsLife)
      this.#rootsSeen = {
        roots: this.roots.map((root) => ({ ...root, exists: isThere(root.path) })),
        at: now,
      };
    return this.#rootsSeen.roots;
  }

  /** Number of sessions with a process, or changed within this time. Milliseconds. */
  countLive(within: number): number {
    return this.#readers().filter((reader) => this.isLive(reader, within)).length;
  }

  /** Returns whether the session has a process or changed within this time. Milliseconds. */
  isLive({ id, account }: SessionReader, within: number): boolean {
    // A time far in the future was written by a clock that was set back since.
    const age = Math.abs(this.#ports.clock.now() - (account.lastActivity ?? -Infinity));
    return age < within || this.feed.running.has(id);
  }

  dispose(): void {
    this.#stop.abort();
    this.#owned.dispose();
    this.#changes.dispose();
  }

  async #follow(): Promise<void> {
    this.#every(pollInterval, () => this.#poll());
    this.#every(renewInterval, () => {
      if (this.feed.complete) this.#changes.fire();
    });
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
    const taking = this.#changes.on(() => {
      if (this.feed.complete) void this.#taker?.take(this.#readers(), () => this.#changes.fire());
    });
    this.#owned.add(taking);
    await Promise.all([this.feed.start(), read, this.#learnOnce()]);
    this.#changes.fire();
  }

  #every(interval: number, job: () => void): void {
    const timer = setInterval(job, interval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
  }

  #poll(): void {
    if (this.feed.complete) this.feed.poll(this.#readers().filter((reader) => this.isLive(reader, lively)));
  }

  #learnOnce(): Promise<void> {
    this.#learned ??= this.#learn();
    return this.#learned;
  }

  /** Keeps the previous result when the search fails or the source stops. */
  async #learn(): Promise<void> {
    if (this.#isOver()) return;
    try {
      const found = await this.#ports.learn(this.#stop.signal, (all) => {
        if (this.#isOver()) return;
        this.found = all;
        this.#changes.fire();
      });
      if (!this.#isOver()) this.found = found;
    } catch (error) {
      if (!this.#isOver()) this.#ports.onProblem(`Learning from past compactions failed: ${String(error)}`);
    }
  }

  #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  #readers(): SessionReader[] {
    return [...this.feed.readers.values()];
  }
}
