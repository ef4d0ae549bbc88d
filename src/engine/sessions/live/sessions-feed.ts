import { plainSentence } from "../../base/language.ts";
import type { FileProblem } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { Emitter, DisposableList, type Disposable } from "../../base/events.ts";
import path from "node:path";
import type { IsAlive } from "../../transcripts/live-reader.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import { FolderWatch } from "../../transcripts/file-tail.ts";
import {
  LiveAgents,
  type LiveAgent,
  maxAge,
  pickRecent,
  type AgentFiles,
  type RecentSession,
} from "./live-agents.ts";
import { isAside, SessionReader } from "./reader.ts";

export interface FeedPorts {
  readonly roots: readonly SessionRoot[];
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
  readonly #agents: LiveAgents;
  readonly #ports: FeedPorts;
  readonly #owned = new DisposableList();
  readonly #watch: FolderWatch;
  readonly #watchProblems = new Map<string, FileProblem>();
  #findProblems: readonly FileProblem[] = [];
  readonly #readerOf = new Map<string, SessionReader>();
  readonly #dirty = new Set<SessionReader>();
  #draining: NodeJS.Immediate | undefined;
  #discovering: NodeJS.Immediate | undefined;
  #searchedAt = -Infinity;
  #isOver = false;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#agents = new LiveAgents(ports.roots, ports.isAlive);
    this.#watch = this.#owned.add(
      new FolderWatch({
        onChange: (changedPath) => this.#pathChanged(changedPath),
        onProblem: (folder, reason) =>
          this.#watchProblems.set(folder, { path: folder, reason: plainSentence(reason) }),
      }),
    );
  }

  get problems(): FileProblem[] {
    const unread = [...this.readers.values()].flatMap((reader) => reader.problems);
    const { problems } = this.#agents;
    return [...problems.values(), ...this.#findProblems, ...unread, ...this.#watchProblems.values()];
  }

  async start(): Promise<void> {
    await this.#agents.load();
    if (this.#isOver) return;
    const timer = setInterval(() => this.#discover(), discoverInterval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
    this.#discover();
  }

  /** Reads everything once, without watching. */
  async readOnce(): Promise<void> {
    await this.#agents.load();
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

  /** Returns the agent with this path below one of its roots; undefined until its reader is loaded. */
  agentOf(file: string): LiveAgent | undefined {
    const agent = this.#agents.agentOf(file);
    if (agent === undefined) void this.#agents.loadFor(file)?.then(() => this.#agentCame());
    return agent;
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
    this.#isOver = true;
    clearImmediate(this.#draining);
    clearImmediate(this.#discovering);
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Repeats the search: a change before a folder's watch began was missed, and may itself be a folder to watch. */
  #discover(): void {
    // An agent used for the first time.
    void this.#agents.load()?.then(() => this.#agentCame());
    this.#watchProblems.clear();
    let recent = this.#find();
    while (this.#watch.set(this.#foldersToWatch(recent))) recent = this.#find();
    this.#drain();
  }

  #agentCame(): void {
    this.#discoverSoon();
    this.#changes.fire([]);
  }

  #discoverSoon(): void {
    if (this.#isOver) return;
    this.#discovering ??= setImmediate(() => {
      this.#discovering = undefined;
      this.#discover();
    });
  }

  /** Includes a root's parent, which shows when the root appears. */
  #foldersToWatch(recent: readonly RecentSession[]): Set<string> {
    const folders = new Set(this.#ports.roots.map(({ path: root }) => path.dirname(root)));
    for (const agent of this.#agents.loaded) {
      const own = recent.filter((session) => session.agent === agent);
      for (const folder of agent.finder.folders(own)) folders.add(folder);
    }
    return folders;
  }

  #find(): readonly RecentSession[] {
    const now = this.#ports.clock.now();
    const found: AgentFiles[] = [];
    const problems: FileProblem[] = [];
    const running = new Set<string>();
    for (const agent of this.#agents.loaded) {
      const there = agent.finder.find(now - maxAge);
      found.push({ agent, files: there.files });
      problems.push(...there.problems);
      for (const id of there.running) running.add(id);
    }
    this.files = found.reduce((sum, { files }) => sum + files.filter((file) => !isAside(file)).length, 0);
    this.#findProblems = problems;
    this.running = running;
    const recent = pickRecent(found, { now, running });
    const kept = new Set(recent.map(({ id }) => id));
    for (const [id, reader] of this.readers) if (!reader.exists || !kept.has(id)) this.#forget(id, reader);
    for (const session of recent) this.#follow(session);
    return recent;
  }

  #follow({ id, agent, files }: RecentSession): void {
    const reader = this.readers.get(id) ?? new SessionReader(id, agent);
    this.readers.set(id, reader);
    for (const file of files) {
      reader.addFile(file);
      this.#readerOf.set(file.path, reader);
    }
    this.#dirty.add(reader);
  }

  #forget(id: string, reader: SessionReader): void {
    this.readers.delete(id);
    this.#dirty.delete(reader);
    for (const [file, held] of this.#readerOf) if (held === reader) this.#readerOf.delete(file);
  }

  #pathChanged(changedPath: string): void {
    const reader = this.#readerOf.get(changedPath);
    if (reader !== undefined) {
      this.#dirty.add(reader);
      this.#draining ??= setImmediate(() => this.#drain());
    } else if (this.#mayMatter(changedPath)) this.#discoverSoon();
  }

  /** Ignores most changes in a root's parent, often a home folder: it is watched only for the root to appear. */
  #mayMatter(changedPath: string): boolean {
    return (
      this.#ports.roots.some(({ path: root }) => root === changedPath) ||
      this.#agents.loaded.some(({ finder }) => finder.matters(changedPath))
    );
  }

  /** Reads every possibly changed session once; those with more to read continue after the others. */
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
