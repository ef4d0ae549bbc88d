import { statSync } from "node:fs";
import path from "node:path";
import type { Disposable } from "../base/disposable.ts";
import { DisposableList } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { Throttle } from "../base/throttle.ts";
import type { FileProblem } from "../transcripts/claude/files.ts";
import { builtInCatalogue, type Catalogue } from "../usage/catalogue.ts";
import { withOverrides } from "../usage/catalogue-overrides.ts";
import { readAgentConfig, type AgentConfig } from "./agent-config.ts";
import { FolderFinder } from "./folder-finder.ts";
import { learnThresholds, type LearnedThresholds } from "./headroom.ts";
import { inWindows, type FoundCompaction } from "./learn.ts";
import type { LiveSnapshot } from "./live-snapshot.ts";
import { observedIn } from "./observed.ts";
import { SessionFeed, type FeedPorts } from "./session-feed.ts";
import type { SessionReader } from "./session-reader.ts";
import { settingsIn, type ContextSettings } from "./settings.ts";
import { snapshotSession, type SessionSnapshot } from "./snapshot.ts";

export interface MonitorPorts extends FeedPorts {
  readonly platform: NodeJS.Platform;
  /** The environment the agent was probably started from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Looks through all transcripts for automatic compactions, off this thread. */
  readonly learn: (signal: AbortSignal) => Promise<readonly FoundCompaction[]>;
}

/** At most two updates a second. Milliseconds. */
const updateInterval = 500;
/** Where the system's watching fails (network folders), a change is still seen within this time. */
const pollInterval = 2000;
/** The agent's settings files are read again after this time. */
const configLife = 10_000;

/** Tells, whenever something changed, how every recent session of this machine's agents stands. */
export class Monitor implements Disposable {
  readonly #changes = new Emitter<LiveSnapshot>();
  readonly onChange = this.#changes.on;
  readonly #ports: MonitorPorts;
  readonly #owned = new DisposableList();
  readonly #stop = new AbortController();
  readonly #feed: SessionFeed;
  readonly #updates: Throttle;
  /** How each session was last described. */
  #previous = new WeakMap<SessionReader, SessionSnapshot>();
  readonly #configs = new Map<string, { config: AgentConfig; readAt: number }>();
  #settings: ContextSettings;
  #folders: FolderFinder;
  #catalogue: Catalogue = builtInCatalogue;
  #settingProblems: readonly FileProblem[] = [];
  #found: readonly FoundCompaction[] = [];
  #last = "";

  constructor(ports: MonitorPorts, settings: ContextSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#folders = new FolderFinder([], ports);
    this.#feed = this.#owned.add(new SessionFeed(ports));
    this.#updates = this.#owned.add(new Throttle(updateInterval, () => this.#publish()));
    this.configure(settings);
  }

  /** Begins: finds what is there, reads it, and goes on watching. Rejects when the search for compactions fails. */
  async start(): Promise<void> {
    this.#owned.add(
      this.#feed.onChange(() => {
        if (this.#feed.complete) this.#updates.request();
      }),
    );
    const timer = setInterval(() => {
      this.#feed.poll([...this.#feed.readers.values()].filter((reader) => this.#isLive(reader)));
      this.#updates.request();
    }, pollInterval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
    this.#feed.start();
    await this.#learn();
    this.#updates.request();
  }

  /** Reads everything there is, once, and answers how it stands: for a terminal that asks and leaves. */
  async readOnce(): Promise<LiveSnapshot> {
    this.#feed.readOnce();
    await this.#learn();
    return this.#snapshot();
  }

  configure(settings: ContextSettings): void {
    this.#settings = settings;
    const { catalogue, rejected } = withOverrides(builtInCatalogue, settings.models);
    this.#catalogue = catalogue;
    this.#folders = new FolderFinder(
      settings.folders.map(({ path: folder }) => folder),
      this.#ports,
    );
    this.#settingProblems = rejected.map(({ model, problem }) => ({
      path: `purser.models ${model}`.trim(),
      reason: problem,
    }));
    // New thresholds hold at once: what was advised under the old ones is no reason to hesitate.
    this.#previous = new WeakMap();
    if (this.#feed.complete) this.#updates.request();
  }

  dispose(): void {
    this.#stop.abort();
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Whoever heard the first snapshot may have disposed of the monitor already. */
  async #learn(): Promise<void> {
    const { signal } = this.#stop;
    if (!signal.aborted) this.#found = await this.#ports.learn(signal);
  }

  #isLive({ id, account }: SessionReader): boolean {
    const { lastActivity } = account;
    const age = this.#ports.clock.now() - (lastActivity ?? -Infinity);
    return age < this.#settings.liveMinutes * 60_000 || this.#feed.running.has(id);
  }

  /** Answers whether there was anything new to tell. */
  #publish(): boolean {
    const snapshot = this.#snapshot();
    const text = JSON.stringify(snapshot);
    if (text === this.#last) return false;
    this.#last = text;
    this.#changes.fire(snapshot);
    return true;
  }

  #snapshot(): LiveSnapshot {
    const learned = this.#thresholds();
    const readers = [...this.#feed.readers.values()].filter(
      ({ exists, account }) => exists && account.cwd !== null,
    );
    const sessions = readers.map((reader) => this.#describe(reader, learned));
    return {
      sessions: sessions.toSorted((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0)),
      roots: this.#ports.roots.map((root) => ({
        path: root,
        exists: statSync(root, { throwIfNoEntry: false }) !== undefined,
      })),
      files: this.#feed.files,
      problems: [...this.#settingProblems, ...this.#feed.problems],
      complete: this.#feed.complete,
    };
  }

  #describe(reader: SessionReader, learned: LearnedThresholds): SessionSnapshot {
    const { cwd, workingIn } = reader.account;
    const home = this.#folders.find(cwd);
    const session = snapshotSession({
      account: reader.account,
      folder: home ?? this.#folders.find(workingIn),
      transcript: reader.transcript,
      subagentTranscripts: reader.subagentTranscripts,
      live: this.#isLive(reader),
      now: this.#ports.clock.now(),
      settings: settingsIn(home, this.#settings),
      catalogue: this.#catalogue,
      config: this.#config(reader),
      learned,
      previous: this.#previous.get(reader),
    });
    this.#previous.set(reader, session);
    return session;
  }

  /** Compactions of sessions in view count at once, and tell more of their window than the search through all does. */
  #thresholds(): LearnedThresholds {
    const inView = [...this.#feed.readers.values()].flatMap((reader) =>
      observedIn(reader.account.main, { config: this.#config(reader), catalogue: this.#catalogue }),
    );
    return learnThresholds([...inView, ...inWindows(this.#found, this.#catalogue)]);
  }

  #config({ account, transcript }: SessionReader): AgentConfig {
    const { env, roots, clock } = this.#ports;
    const root = roots.find((each) => transcript.startsWith(each + path.sep)) ?? null;
    const { cwd } = account;
    const model = account.main.last?.model ?? null;
    const key = [root, cwd, model].join("\n");
    const held = this.#configs.get(key);
    if (held !== undefined && clock.now() - held.readAt < configLife) return held.config;
    const config = readAgentConfig({ env, root, cwd, model });
    this.#configs.set(key, { config, readAt: clock.now() });
    return config;
  }
}
