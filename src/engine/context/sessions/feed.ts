import type { Clock } from "../../base/timing/clock.ts";
import { DisposableList, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { findTranscripts, identify, type FileProblem } from "../../transcripts/claude/files.ts";
import { FlatSubagents } from "../../transcripts/claude/flat-subagents.ts";
import { runningSessions, type IsAlive } from "../../transcripts/claude/running.ts";
import { FolderWatch } from "../../transcripts/folder-watch.ts";
import { longestAgo, pickRecent, type RecentSession } from "./recent.ts";
import { SessionReader } from "./reader.ts";
import { foldersToWatch, mattersToDiscovery } from "./watched-folders.ts";

export interface FeedPorts {
  readonly roots: readonly string[];
  readonly clock: Clock;
  readonly isAlive: IsAlive;
}

const discoverInterval = 30_000;
/** Minimum interval between searches for an unknown session. Milliseconds. */
const searchInterval = 1000;

/** Finds the recent sessions and keeps reading them as they grow. Reports which readers changed. */
export class SessionFeed implements Disposable {
  readonly #changes = new Emitter<readonly SessionReader[]>();
  /** Fires with the readers that changed; with an empty list when only the set of sessions may have changed. */
  readonly onChange = this.#changes.on;
  readonly readers = new Map<string, SessionReader>();
  running: ReadonlySet<string> = new Set();
  files = 0;
  /** True once everything present at the start has been read. */
  complete = false;
  readonly #ports: FeedPorts;
  readonly #owned = new DisposableList();
  readonly #watch: FolderWatch;
  readonly #flat = new FlatSubagents();
  readonly #watchProblems = new Map<string, FileProblem>();
  #findProblems: readonly FileProblem[] = [];
  readonly #dirty = new Set<SessionReader>();
  #draining: NodeJS.Immediate | undefined;
  #discovering: NodeJS.Immediate | undefined;
  #searchedAt = -Infinity;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#watch = this.#owned.add(
      new FolderWatch({
        onChange: (changedPath) => this.#pathChanged(changedPath),
        onProblem: (folder, reason) => this.#watchProblems.set(folder, { path: folder, reason }),
      }),
    );
  }

  get problems(): FileProblem[] {
    const unread = [...this.readers.values()].flatMap((reader) => reader.problems);
    return [...this.#findProblems, ...unread, ...this.#watchProblems.values()];
  }

  start(): void {
    const timer = setInterval(() => this.#discover(), discoverInterval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
    this.#discover();
  }

  /** Reads everything once, without watching. */
  readOnce(): void {
    this.#find();
    for (const reader of this.#dirty) while (reader.read().more);
    this.#dirty.clear();
    this.complete = true;
  }

  /** Reads these sessions again, for file systems where watching does not work. */
  poll(readers: Iterable<SessionReader>): void {
    for (const reader of readers) this.#dirty.add(reader);
    this.#drain();
  }

  /** Returns the session's reader; searches at once when no folder watch has reported the session yet. */
  find(id: string): SessionReader | undefined {
    const now = this.#ports.clock.now();
    const isKnown = this.readers.has(id) || !this.complete;
    if (!isKnown && Math.abs(now - this.#searchedAt) >= searchInterval) {
      this.#searchedAt = now;
      this.#discover();
    }
    return this.readers.get(id);
  }

  /** Reads one session at once and returns whether all of it is read now. Followers are notified a moment later. */
  readNow(reader: SessionReader): boolean {
    const { changed, more } = reader.read();
    if (more) this.#dirty.add(reader);
    if (more) this.#draining ??= setImmediate(() => this.#drain());
    if (changed) setImmediate(() => this.#changes.fire([reader]));
    return !more;
  }

  dispose(): void {
    clearImmediate(this.#draining);
    clearImmediate(this.#discovering);
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Repeats the search: a change before a folder's watch began was not seen, and may itself be a folder to watch. */
  #discover(): void {
    const { roots } = this.#ports;
    this.#watchProblems.clear();
    let found = this.#find();
    while (this.#watch.set(foldersToWatch({ roots, ...found }))) found = this.#find();
    this.#drain();
  }

  #find(): { projects: readonly string[]; recent: readonly RecentSession[] } {
    const { roots, clock, isAlive } = this.#ports;
    const { projects, files, problems } = findTranscripts(roots);
    this.files = files.length;
    this.#findProblems = problems;
    this.running = runningSessions(roots, isAlive);
    const now = clock.now();
    const owned = this.#flat.attach(files, now - longestAgo);
    const recent = pickRecent(owned, { now, running: this.running });
    const kept = new Set(recent.map(({ id }) => id));
    for (const [id, reader] of this.readers) if (!reader.exists || !kept.has(id)) this.#forget(id, reader);
    for (const session of recent) this.#follow(session);
    return { projects, recent };
  }

  #follow({ id, files }: RecentSession): void {
    const reader = this.readers.get(id) ?? new SessionReader(id);
    this.readers.set(id, reader);
    for (const file of files) reader.addFile(file);
    this.#dirty.add(reader);
  }

  #forget(id: string, reader: SessionReader): void {
    this.readers.delete(id);
    this.#dirty.delete(reader);
  }

  #pathChanged(changedPath: string): void {
    const sessionId = identify(changedPath)?.sessionId ?? this.#flat.sessionOf(changedPath);
    const reader = sessionId === null ? undefined : this.readers.get(sessionId);
    if (reader?.has(changedPath) === true) {
      this.#dirty.add(reader);
      this.#draining ??= setImmediate(() => this.#drain());
    } else if (mattersToDiscovery(changedPath, this.#ports.roots)) {
      this.#discovering ??= setImmediate(() => {
        this.#discovering = undefined;
        this.#discover();
      });
    }
  }

  /** Reads every possibly changed session once; those with more to read continue after the others had their turn. */
  #drain(): void {
    clearImmediate(this.#draining);
    this.#draining = undefined;
    const changed: SessionReader[] = [];
    for (const reader of [...this.#dirty]) {
      const result = reader.read();
      if (result.changed) changed.push(reader);
      if (!result.more) this.#dirty.delete(reader);
    }
    const isFirst = this.#dirty.size === 0 && !this.complete;
    if (isFirst) this.complete = true;
    if (this.#dirty.size > 0) this.#draining = setImmediate(() => this.#drain());
    if (changed.length > 0 || isFirst) this.#changes.fire(changed);
  }
}
