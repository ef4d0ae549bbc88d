import { statSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../base/timing/clock.ts";
import { DisposableList, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { Throttle } from "../../base/timing/throttle.ts";
import type { FileProblem } from "../../transcripts/claude/files.ts";
import type { Advice } from "../advice.ts";
import { readAgentConfig, type AgentConfig } from "../agent-config.ts";
import { FolderFinder } from "../folder-finder.ts";
import { learnThresholds, type LearnedThresholds } from "../headroom.ts";
import { inWindows } from "../learn.ts";
import type { LiveSnapshot } from "../live-snapshot.ts";
import { observedIn } from "../observed.ts";
import { OwnCatalogues } from "../own-catalogues.ts";
import type { SessionSource } from "./source.ts";
import { seenInFiles, seenUnwritten, seenWithoutFiles, type SeenSession } from "./seen.ts";
import type { ContextSettings } from "../../settings/contexts.ts";
import type { ContextSnapshot } from "../context.ts";
import { snapshotSession, type SessionSnapshot } from "../snapshot.ts";
import { toldNow } from "../reported/live-context.ts";
import type { ToldSessions } from "../reported/sessions.ts";

/** What one client looks at sessions with. */
export interface Outlook {
  /** The client's own folders: sessions are told which of them they belong to. */
  readonly folders: readonly string[];
  /** The environment the agent was probably started from, as far as it tells of windows and compaction. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ViewPorts {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** What the user has set; the same for all who look. */
  readonly settings: ViewSettings;
  /** What is told of sessions beside their transcripts. */
  readonly told?: ToldSessions;
}

export interface ViewSettings {
  /** As they hold for a session at this moment. @param place where it began; null where that is not known */
  readonly of: (place: string | null) => ContextSettings;
  /** Others may hold now. */
  readonly onChange: (listener: () => void) => Disposable;
  /** What of them cannot be read. */
  readonly problems: () => readonly FileProblem[];
}

/** At most two updates a second. Milliseconds. */
const updateInterval = 500;
/** The agent's settings files are read again after this time. Milliseconds. */
const configLife = 10_000;

/** How full a context is at one moment: a session's, or one of its subagents'. */
export interface ContextNow extends Pick<ContextSnapshot, "window" | "occupancy"> {
  readonly advice: Advice | null;
  readonly compactions: number;
  /** Where its session began. */
  readonly place: string | null;
  /** When the transcript or a hook told the occupancy, milliseconds since the epoch; null when neither says. */
  readonly measuredAt: number | null;
  /** What the agent itself told its model last of the tokens that are left; null where it tells nothing. */
  readonly noteLeft: number | null;
}

/** How the sessions of a source look with one client's settings. Clients with the same settings share a view. */
export class SessionView implements Disposable {
  readonly #changes = new Emitter<LiveSnapshot>();
  readonly onChange = this.#changes.on;
  readonly #source: SessionSource;
  readonly #outlook: Outlook;
  readonly #ports: ViewPorts;
  readonly #owned = new DisposableList();
  readonly #updates: Throttle;
  readonly #catalogues = new OwnCatalogues();
  readonly #folders: FolderFinder;
  readonly #configs = new Map<string, { config: AgentConfig; readAt: number }>();
  #last: { readonly snapshot: LiveSnapshot; readonly text: string } | undefined;
  #followers = 0;

  constructor(source: SessionSource, outlook: Outlook, ports: ViewPorts) {
    this.#source = source;
    this.#outlook = outlook;
    this.#ports = ports;
    this.#folders = new FolderFinder(outlook.folders, ports);
    this.#updates = this.#owned.add(new Throttle(updateInterval, () => this.#publish()));
    const changed = () => {
      if (this.#followers > 0 && source.feed.complete) this.#updates.request();
    };
    this.#owned.add(source.onChange(changed));
    this.#owned.add(
      ports.settings.onChange(() => {
        this.#catalogues.clear();
        changed();
      }),
    );
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

  /** How things stand at this moment: what was appended to files since is read first. */
  async readNow(): Promise<LiveSnapshot> {
    await this.#source.refresh();
    return this.#snapshot();
  }

  /**
   * How full a session's context is at this moment: what was appended to its files since is read first. Undefined for one that is
   * not in view, or has more to read than is read at once.
   *
   * @param agentId a subagent's, whose own context is asked for; undefined for a subagent that has no transcript yet
   */
  contextNow(id: string, agentId?: string): ContextNow | undefined {
    const reader = this.#source.feed.find(id);
    if (reader !== undefined && !this.#source.feed.readNow(reader)) return undefined;
    const seen = this.#seen(id);
    if (seen === undefined) return undefined;
    const session = this.#describe(seen, this.#thresholds());
    const { main, subagents } = seen.account;
    const chain = agentId === undefined ? main : subagents.get(agentId)?.chain;
    const described = agentId === undefined ? session : session.subagents.find((each) => each.id === agentId);
    if (chain === undefined || described === undefined) return undefined;
    const { advice, window, occupancy, compactions } = described;
    const toldAt = agentId === undefined ? toldNow(main, seen.told).context?.at : undefined;
    const measuredAt = toldAt ?? (chain.fresh ?? chain.last)?.at ?? null;
    const { noteLeft } = chain;
    return { advice, window, occupancy, compactions, place: session.cwd, measuredAt, noteLeft };
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Answers whether there was anything new to tell. */
  #publish(): boolean {
    const snapshot = this.#snapshot();
    const text = JSON.stringify(snapshot);
    if (text === this.#last?.text) return false;
    this.#last = { snapshot, text };
    this.#changes.fire(snapshot);
    return true;
  }

  #snapshot(): LiveSnapshot {
    const { feed, roots } = this.#source;
    const learned = this.#thresholds();
    const { told, settings } = this.#ports;
    const read = [...feed.readers.values()].filter(({ exists, account }) => exists && account.cwd !== null);
    const seen = read.map((reader) => seenInFiles(reader, this.#source, told?.of(reader.id)));
    const sessions = [...seen, ...seenUnwritten(this.#source, told)].map((each) =>
      this.#describe(each, learned),
    );
    return {
      sessions: sessions.toSorted((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0)),
      roots: roots.map((root) => ({
        path: root,
        exists: statSync(root, { throwIfNoEntry: false }) !== undefined,
      })),
      files: feed.files,
      problems: feed.problems,
      settingProblems: [...settings.problems(), ...this.#catalogues.problems],
      complete: feed.complete,
    };
  }

  #seen(id: string): SeenSession | undefined {
    const reader = this.#source.feed.readers.get(id);
    const told = this.#ports.told?.of(id);
    if (reader !== undefined && reader.account.cwd !== null) return seenInFiles(reader, this.#source, told);
    return told === undefined ? undefined : (seenWithoutFiles(told, this.#source) ?? undefined);
  }

  #describe(seen: SeenSession, learned: LearnedThresholds): SessionSnapshot {
    const { account, key } = seen;
    const { described } = this.#source;
    const settings = this.#ports.settings.of(account.cwd);
    const now = this.#ports.clock.now();
    const session = snapshotSession({
      account,
      folder: this.#folders.find(account.cwd) ?? this.#folders.find(account.workingIn),
      transcript: seen.transcript,
      subagentTranscripts: seen.subagentTranscripts,
      live: seen.isLive(settings.liveMinutes * 60_000, now),
      told: seen.told,
      now,
      settings,
      catalogue: this.#catalogues.of(settings).catalogue,
      config: this.#config(seen),
      learned,
      previous: described.get(key),
    });
    described.set(key, session);
    return session;
  }

  #thresholds(): LearnedThresholds {
    const { feed, found } = this.#source;
    const catalogueOf = (place: string | null) =>
      this.#catalogues.of(this.#ports.settings.of(place)).catalogue;
    const inView = [...feed.readers.values()].flatMap((reader) => {
      const { main, cwd } = reader.account;
      return observedIn(main, { config: this.#config(reader), catalogue: catalogueOf(cwd) });
    });
    return learnThresholds([...inView, ...inWindows(found, catalogueOf(null))]);
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
