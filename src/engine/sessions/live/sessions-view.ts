import type { Sentence } from "../../base/language.ts";
import type { FileProblem } from "../../base/result.ts";
import { type Clock, Throttle } from "../../base/timing.ts";
import { type Disposable, DisposableList, Emitter, type Observable } from "../../base/events.ts";
import type { Advice } from "../advice.ts";
import type { AgentSettings } from "../../transcripts/live-reader.ts";
import { rootOf } from "./live-agents.ts";
import { learnThresholds, type LearnedThresholds } from "../compaction-headroom.ts";
import { inWindows, observedIn } from "../learn.ts";
import type { LiveSnapshot } from "../live-snapshot.ts";
import { OwnCatalogues } from "./own-catalogues.ts";
import type { SessionSource } from "./sessions-source.ts";
import { seenInFiles, seenUnwritten, seenWithoutFiles, type SeenSession } from "./seen.ts";
import type { ContextSettings } from "../../settings/shape.ts";
import { snapshotSession, type SessionSnapshot } from "../snapshot.ts";
import type { ContextSnapshot } from "../describe-sessions.ts";
import { liveContext } from "./live-context.ts";
import type { HookSessions } from "../reported.ts";
import { belongsTo, type PathOptions } from "../../base/paths.ts";

export interface ViewOptions {
  /** The client's own folders; each session reports which of them it belongs to. */
  readonly folders: readonly string[];
  /** Environment the agent was probably started from, reduced to window and compaction settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ViewPorts {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** The user's settings, shared by all clients. */
  readonly settings: ViewSettings;
  readonly hookSessions?: HookSessions;
  /** Families of guards that only observe in a session, for a trial. */
  readonly observing?: (session: string) => readonly string[];
  /** Why the ledger cannot be used; null while it can. */
  readonly ledgerProblem?: Pick<Observable<Sentence | null>, "value" | "onChange">;
}

export interface ViewSettings {
  /** Settings in effect for a session now. @param folder where it began; null where unknown */
  readonly of: (folder: string | null) => ContextSettings;
  readonly onChange: (listener: () => void) => Disposable;
  /** Settings that cannot be read, and why. */
  readonly problems: () => readonly FileProblem[];
}

/** At most two updates a second. Milliseconds. */
const updateInterval = 500;
/** The agent's settings files are read again after this time. Milliseconds. */
const configLife = 10_000;

/** Current fill level of a context: a session's or one of its subagents'. */
export interface ContextNow extends Pick<ContextSnapshot, "window" | "occupancy"> {
  readonly advice: Advice | null;
  /** Compactions and other falls of the context so far. */
  readonly compactions: number;
  /** Folder where its session began. */
  readonly folder: string | null;
  /** Time the transcript or a hook reported the occupancy, milliseconds since the epoch; null when neither did. */
  readonly measuredAt: number | null;
  /** Tokens left, as the agent last reported to its model; null when it reported none. */
  readonly noteLeft: number | null;
}

/** The sessions of a source as described with one client's settings. Clients with the same settings share a view. */
export class SessionView implements Disposable {
  readonly #changes = new Emitter<LiveSnapshot>();
  readonly onChange = this.#changes.on;
  readonly #source: SessionSource;
  readonly #options: ViewOptions;
  readonly #ports: ViewPorts;
  readonly #owned = new DisposableList();
  readonly #updates: Throttle;
  readonly #catalogues = new OwnCatalogues();
  readonly #folders: FolderFinder;
  readonly #configs = new Map<string, { config: AgentSettings; readAt: number }>();
  /** The last learned thresholds with their inputs, compared by identity. */
  #learned: { readonly basis: readonly unknown[]; readonly thresholds: LearnedThresholds } | undefined;
  #last: LiveSnapshot | undefined;
  #followers = 0;

  constructor(source: SessionSource, outlook: ViewOptions, ports: ViewPorts) {
    this.#source = source;
    this.#options = outlook;
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
    if (ports.hookSessions !== undefined) this.#owned.add(ports.hookSessions.onChange(changed));
    if (ports.ledgerProblem !== undefined) this.#owned.add(ports.ledgerProblem.onChange(changed));
  }

  /** Sends the current snapshot as soon as it is known, then every change. */
  follow(listener: (snapshot: LiveSnapshot) => void): Disposable {
    const listening = this.onChange(listener);
    this.#followers += 1;
    if (this.#followers > 1 && this.#last !== undefined) listener(this.#last);
    else {
      // The view had no followers for a while, so the last snapshot is old.
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

  /** Returns the current snapshot, after reading the additions to its files. */
  async readNow(): Promise<LiveSnapshot> {
    await this.#source.refresh();
    return this.#snapshot();
  }

  /**
   * Returns how full a session's context is now, after reading the additions to its files. Undefined for a session that
   * is not in view, or has more to read than one pass reads.
   *
   * @param agentId the subagent with the requested context; undefined is returned for one without a transcript yet
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
    const reportedAt = agentId === undefined ? liveContext(main, seen.hookSession).context?.at : undefined;
    const measuredAt = reportedAt ?? (chain.unansweredCompaction ?? chain.last)?.at ?? null;
    const { noteLeft } = chain;
    // Clearing lets the agent continue like a compaction does, so it may be warned again.
    const fresh = compactions + chain.falls;
    return { advice, window, occupancy, compactions: fresh, folder: session.cwd, measuredAt, noteLeft };
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** Returns whether there was anything new to send. */
  #publish(): boolean {
    const snapshot = this.#snapshot();
    if (isSameData(snapshot, this.#last)) return false;
    this.#last = snapshot;
    this.#changes.fire(snapshot);
    return true;
  }

  #snapshot(): LiveSnapshot {
    const { feed } = this.#source;
    const learned = this.#thresholds();
    const { hookSessions, settings, ledgerProblem } = this.#ports;
    const why = ledgerProblem?.value ?? null;
    const read = [...feed.readers.values()].filter(({ exists, account }) => exists && account.isBegun);
    const seen = read.map((reader) => seenInFiles(reader, this.#source, hookSessions?.of(reader.id)));
    const sessions = [...seen, ...seenUnwritten(this.#source, hookSessions)].map((each) =>
      this.#describe(each, learned),
    );
    return {
      sessions: sessions.toSorted((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0)),
      roots: this.#source.rootsNow(),
      files: feed.files,
      problems: feed.problems,
      settingProblems: [...settings.problems(), ...this.#catalogues.problems],
      ...(why === null ? {} : { ledgerProblem: why }),
      complete: feed.complete,
    };
  }

  #seen(id: string): SeenSession | undefined {
    const reader = this.#source.feed.readers.get(id);
    const hookSession = this.#ports.hookSessions?.of(id);
    if (reader?.account.isBegun === true) return seenInFiles(reader, this.#source, hookSession);
    return hookSession === undefined ? undefined : (seenWithoutFiles(hookSession, this.#source) ?? undefined);
  }

  #describe(seen: SeenSession, learned: LearnedThresholds): SessionSnapshot {
    const { account, key } = seen;
    const { described } = this.#source;
    const settings = this.#ports.settings.of(account.cwd);
    const now = this.#ports.clock.now();
    const session = snapshotSession({
      agent: seen.agent,
      account,
      folder: this.#folders.find(account.cwd) ?? this.#folders.find(account.workingIn),
      transcript: seen.transcript,
      subagentTranscripts: seen.subagentTranscripts,
      live: seen.isLive(settings.liveMinutes * 60_000, now),
      hookSession: seen.hookSession,
      now,
      settings,
      catalogue: this.#catalogues.forSettings(settings).catalogue,
      config: this.#config(seen),
      learned,
      previous: described.get(key),
    });
    described.set(key, session);
    const observing = this.#ports.observing?.(session.id) ?? [];
    return observing.length === 0 ? session : { ...session, observing };
  }

  /** Learns again only after another compaction or setting. */
  #thresholds(): LearnedThresholds {
    const { feed, found } = this.#source;
    const catalogueOf = (folder: string | null) =>
      this.#catalogues.forSettings(this.#ports.settings.of(folder)).catalogue;
    const inView = [...feed.readers.values()]
      .filter(({ account }) => account.main.compactions.length > 0)
      .map((reader) => {
        const { main, cwd } = reader.account;
        const context = { config: this.#config(reader), catalogue: catalogueOf(cwd) };
        return { agent: reader.agent.name, main, last: main.compactions.at(-1), ...context };
      });
    const usual = catalogueOf(null);
    const basis = [found, usual, ...inView.flatMap((each) => Object.values(each))];
    const held = this.#learned;
    if (held?.basis.length === basis.length && held.basis.every((part, index) => part === basis[index]))
      return held.thresholds;
    const observed = inView.flatMap(({ agent, main, ...context }) => observedIn(agent, main, context));
    const thresholds = learnThresholds([...observed, ...inWindows(found, usual)]);
    this.#learned = { basis, thresholds };
    return thresholds;
  }

  #config({
    agent,
    account,
    transcript,
  }: Pick<SeenSession, "agent" | "account" | "transcript">): AgentSettings {
    const { env } = this.#options;
    const root = rootOf(transcript, agent.roots);
    const { cwd } = account;
    const model = account.main.last?.model ?? null;
    const key = [agent.name, root, cwd, model].join("\n");
    const now = this.#ports.clock.now();
    const held = this.#configs.get(key);
    if (held !== undefined && now - held.readAt < configLife) return held.config;
    const read = agent.reader.settings({ env, root, cwd, model });
    // The same object while nothing changed: thresholds learned with it still apply.
    const config = held !== undefined && isSameData(read, held.config) ? held.config : read;
    this.#configs.set(key, { config, readAt: now });
    return config;
  }
}

/** Finds which of a host's folders a path belongs to. Caches each result, because the search touches the disk. */
export class FolderFinder {
  readonly #folders: readonly string[];
  readonly #options: PathOptions;
  readonly #held = new Map<string, string | null>();

  constructor(folders: readonly string[], options: PathOptions) {
    this.#folders = folders.toSorted((a, b) => b.length - a.length);
    this.#options = options;
  }

  /**
   * Returns the deepest folder that contains the path or has it in a worktree; null when the path belongs to
   * none.
   */
  find(path: string | null): string | null {
    if (path === null) return null;
    const held = this.#held.get(path);
    if (held !== undefined) return held;
    const found = this.#folders.find((folder) => belongsTo(path, [folder], this.#options)) ?? null;
    this.#held.set(path, found);
    return found;
  }
}

/** Returns whether two values of plain data would be the same JSON text. Ends at the first difference, unlike a comparison of texts. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isContainer(one) || !isContainer(other)) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => isSameData(value, other[index]))
    );
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameData(one[name], other[name]))
  );
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
