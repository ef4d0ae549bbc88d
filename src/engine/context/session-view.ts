import { statSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { Throttle } from "../base/throttle.ts";
import type { FileProblem } from "../transcripts/claude/files.ts";
import { builtInCatalogue, type Catalogue } from "../usage/catalogue.ts";
import { withOverrides } from "../usage/catalogue-overrides.ts";
import { readAgentConfig, type AgentConfig } from "./agent-config.ts";
import { FolderFinder } from "./folder-finder.ts";
import { learnThresholds, type LearnedThresholds } from "./headroom.ts";
import { inWindows } from "./learn.ts";
import type { LiveSnapshot } from "./live-snapshot.ts";
import { observedIn } from "./observed.ts";
import type { SessionSource } from "./session-source.ts";
import { seenInFiles, seenUnwritten, seenWithoutFiles, type SeenSession } from "./seen-session.ts";
import { settingsIn, type ContextSettings } from "./settings.ts";
import { snapshotSession, type SessionSnapshot } from "./snapshot.ts";
import { toldNow } from "./told-context.ts";
import type { ToldSessions } from "./told-sessions.ts";

/** What one client looks at sessions with. */
export interface Outlook {
  readonly settings: ContextSettings;
  /** The environment the agent was probably started from, as far as it tells of windows and compaction. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ViewPorts {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** What is told of sessions beside their transcripts. */
  readonly told?: ToldSessions;
}

/** At most two updates a second. Milliseconds. */
const updateInterval = 500;
/** The agent's settings files are read again after this time. Milliseconds. */
const configLife = 10_000;

/** One session at one moment. */
export interface SessionNow {
  readonly session: SessionSnapshot;
  /** When the transcript or a hook told the occupancy, milliseconds since the epoch; null when neither says. */
  readonly measuredAt: number | null;
  /** What the agent itself told its model last of the tokens that are left; null where it tells nothing. */
  readonly noteLeft: number | null;
}

type Previous = WeakMap<object, SessionSnapshot>;

/** How the sessions of a source look with one client's settings. Clients with the same settings share a view. */
export class SessionView implements Disposable {
  readonly #changes = new Emitter<LiveSnapshot>();
  readonly onChange = this.#changes.on;
  readonly #source: SessionSource;
  readonly #outlook: Outlook;
  readonly #ports: ViewPorts;
  readonly #owned = new DisposableList();
  readonly #updates: Throttle;
  readonly #catalogue: Catalogue;
  readonly #folders: FolderFinder;
  readonly #settingProblems: readonly FileProblem[];
  readonly #configs = new Map<string, { config: AgentConfig; readAt: number }>();
  /** How each session was last described to those who follow, so that advice does not flicker. */
  readonly #previous: Previous = new WeakMap();
  #last: { readonly snapshot: LiveSnapshot; readonly text: string } | undefined;
  #followers = 0;

  constructor(source: SessionSource, outlook: Outlook, ports: ViewPorts) {
    this.#source = source;
    this.#outlook = outlook;
    this.#ports = ports;
    const { settings } = outlook;
    const { catalogue, rejected } = withOverrides(builtInCatalogue, settings.models);
    this.#catalogue = catalogue;
    this.#settingProblems = rejected.map(({ model, problem }) => ({
      path: `purser.models ${model}`.trim(),
      reason: problem,
    }));
    const folders = settings.folders.map(({ path: folder }) => folder);
    this.#folders = new FolderFinder(folders, ports);
    this.#updates = this.#owned.add(new Throttle(updateInterval, () => this.#publish()));
    const changed = () => {
      if (this.#followers > 0 && source.feed.complete) this.#updates.request();
    };
    this.#owned.add(source.onChange(changed));
    if (ports.told !== undefined) this.#owned.add(ports.told.onChange(changed));
  }

  /** Tells how things stand, as soon as that is known, and then every change. */
  follow(hear: (snapshot: LiveSnapshot) => void): Disposable {
    const listening = this.onChange(hear);
    this.#followers += 1;
    if (this.#followers > 1 && this.#last !== undefined) hear(this.#last.snapshot);
    else {
      // Nobody followed for a while: what was told last is old.
      this.#last = undefined;
      if (this.#source.feed.complete) this.#updates.request();
    }
    let isOver = false;
    return {
      dispose: () => {
        if (!isOver) this.#followers -= 1;
        isOver = true;
        listening.dispose();
      },
    };
  }

  /** How things stand at this moment, whatever was told before: what a program that reads the files itself would say. */
  async readNow(): Promise<LiveSnapshot> {
    await this.#source.refresh();
    return this.#snapshot(new WeakMap());
  }

  /**
   * How one session stands at this moment: what was appended to its files since is read first. Undefined for one that is not
   * in view, or has more to read than is read at once.
   */
  sessionNow(id: string): SessionNow | undefined {
    const reader = this.#source.feed.find(id);
    if (reader !== undefined && !this.#source.feed.readNow(reader)) return undefined;
    const seen = this.#seen(id);
    if (seen === undefined) return undefined;
    const { main } = seen.account;
    const session = this.#describe(seen, this.#thresholds(), this.#previous);
    const toldAt = toldNow(main, seen.told).context?.at;
    const { noteLeft } = main;
    return { session, noteLeft, measuredAt: toldAt ?? (main.fresh ?? main.last)?.at ?? null };
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Answers whether there was anything new to tell. */
  #publish(): boolean {
    const snapshot = this.#snapshot(this.#previous);
    const text = JSON.stringify(snapshot);
    if (text === this.#last?.text) return false;
    this.#last = { snapshot, text };
    this.#changes.fire(snapshot);
    return true;
  }

  #snapshot(previous: Previous): LiveSnapshot {
    const { feed, roots } = this.#source;
    const learned = this.#thresholds();
    const { told } = this.#ports;
    const read = [...feed.readers.values()].filter(({ exists, account }) => exists && account.cwd !== null);
    const seen = read.map((reader) => seenInFiles(reader, this.#source, told?.of(reader.id)));
    const sessions = [...seen, ...seenUnwritten(this.#source, told)].map((each) =>
      this.#describe(each, learned, previous),
    );
    return {
      sessions: sessions.toSorted((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0)),
      roots: roots.map((root) => ({
        path: root,
        exists: statSync(root, { throwIfNoEntry: false }) !== undefined,
      })),
      files: feed.files,
      problems: [...this.#settingProblems, ...feed.problems],
      complete: feed.complete,
    };
  }

  #seen(id: string): SeenSession | undefined {
    const reader = this.#source.feed.readers.get(id);
    const told = this.#ports.told?.of(id);
    if (reader !== undefined && reader.account.cwd !== null) return seenInFiles(reader, this.#source, told);
    return told === undefined ? undefined : (seenWithoutFiles(told, this.#source) ?? undefined);
  }

  #describe(seen: SeenSession, learned: LearnedThresholds, previous: Previous): SessionSnapshot {
    const { account, key } = seen;
    const { settings } = this.#outlook;
    const now = this.#ports.clock.now();
    const home = this.#folders.find(account.cwd);
    const session = snapshotSession({
      account,
      folder: home ?? this.#folders.find(account.workingIn),
      transcript: seen.transcript,
      subagentTranscripts: seen.subagentTranscripts,
      live: seen.isLive(settings.liveMinutes * 60_000, now),
      told: seen.told,
      now,
      settings: settingsIn(home, settings),
      catalogue: this.#catalogue,
      config: this.#config(seen),
      learned,
      previous: previous.get(key),
    });
    previous.set(key, session);
    return session;
  }

  #thresholds(): LearnedThresholds {
    const { feed, found } = this.#source;
    const inView = [...feed.readers.values()].flatMap((reader) =>
      observedIn(reader.account.main, { config: this.#config(reader), catalogue: this.#catalogue }),
    );
    return learnThresholds([...inView, ...inWindows(found, this.#catalogue)]);
  }

  #config({ account, transcript }: Pick<SeenSession, "account" | "transcript">): AgentConfig {
    const { env } = this.#outlook;
    const root = this.#source.roots.find((each) => transcript.startsWith(each + path.sep)) ?? null;
    const { cwd } = account;
    const model = account.main.last?.model ?? null;
    const key = [root, cwd, model].join("\n");
    const now = this.#ports.clock.now();
    const held = this.#configs.get(key);
    if (held !== undefined && now - held.readAt < configLife) return held.config;
    const config = readAgentConfig({ env, root, cwd, model });
    this.#configs.set(key, { config, readAt: now });
    return config;
  }
}
