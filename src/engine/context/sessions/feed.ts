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
/** A session that nobody knows is not looked for more often. Milliseconds. */
const searchInterval = 1000;

/** Finds the recent sessions, reads them, and goes on reading as they grow. Says which readers changed. */
export class SessionFeed implements Disposable {
  readonly #changes = new Emitter<readonly SessionReader[]>();
  /** Fires with the readers that changed, and with none when only the set of sessions may have. */
  readonly onChange = this.#changes.on;
  readonly readers = new Map<string, SessionReader>();
  running: ReadonlySet<string> = new Set();
  files = 0;
  /** Everything that was there at the start has been read. */
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
        onChange: (place) => this.#placeChanged(place),
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

  /** Reads everything there is, once, without watching. */
  readOnce(): void {
    this.#find();
    for (const reader of this.#dirty) while (reader.read().more);
    this.#dirty.clear();
    this.complete = true;
  }

  /** Looks at these sessions again, for where the system's watching does not tell. */
  poll(readers: Iterable<SessionReader>): void {
    for (const reader of readers) this.#dirty.add(reader);
    this.#drain();
  }

  /** The session's reader, looked for at once where no folder's watch told of the session yet. */
  find(id: string): SessionReader | undefined {
    const now = this.#ports.clock.now();
    const isKnown = this.readers.has(id) || !this.complete;
    if (!isKnown && Math.abs(now - this.#searchedAt) >= searchInterval) {
      this.#searchedAt = now;
      this.#discover();
    }
    return this.readers.get(id);
  }

  /** Reads on in one session at once; answers whether all of it is read now. Who follows hears of it a moment later. */
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

  /** What came into a folder before its watch began was not seen, and may itself be a folder to watch. */
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

  #placeChanged(place: string): void {
    const sessionId = identify(place)?.sessionId ?? this.#flat.sessionOf(place);
    const reader = sessionId === null ? undefined : this.readers.get(sessionId);
    if (reader?.has(place) === true) {
      this.#dirty.add(reader);
      this.#draining ??= setImmediate(() => this.#drain());
    } else if (mattersToDiscovery(place, this.#ports.roots)) {
      this.#discovering ??= setImmediate(() => {
        this.#discovering = undefined;
        this.#discover();
      });
    }
  }

  /** One pass over what may have changed; whatever has more to read comes again after others had their turn. */
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
