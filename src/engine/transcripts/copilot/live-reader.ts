import { type LiveReader, type WholeReader, unsetAgentSettings } from "../live-reader.ts";
import {
  transcriptOf,
  findSessionFolders,
  showsSession,
  type SessionFolder,
} from "./live/session-folders.ts";
import path from "node:path";
import type * as live from "../live-reader.ts";
import * as z from "zod/mini";
import { copilotStore, statsOfStore } from "./copilot-files.ts";
import { EventRows } from "./live/event-rows.ts";
import { SessionState } from "./live/compaction-rows.ts";
import { runtimeSqlite, readStoreOf, type StoredResponse } from "./read-store.ts";
import { statSync } from "node:fs";
import { parse } from "yaml";
import type { RowReading, TranscriptEvent } from "../agent-session.ts";
import { optionalText } from "../row-values.ts";
import type { ApiResponse } from "../../usage/api-response.ts";
import { NumberNames } from "./accounting.ts";
import { readOpeningText } from "../open-file.ts";

type Stats = ReturnType<WholeReader["stats"]>;

/**
 * Reads one session's rows of the session store, for sessions of versions whose events have no usage. Rows from the
 * first usage record on are left to the events; older ones are then no longer the latest, and count outside the
 * conversation.
 */
export class StoredRows implements WholeReader {
  readonly #path: string;
  readonly #sessionId: string;
  readonly #state: SessionState;
  readonly #names = new NumberNames();
  #lastRow = 0;
  #stats: Stats;
  #isDone = false;

  constructor(path: string, sessionId: string, state: SessionState) {
    this.#path = path;
    this.#sessionId = sessionId;
    this.#state = state;
  }

  stats(): Stats {
    if (!this.#isDone) this.#stats = statsOfStore(this.#path);
    return this.#stats;
  }

  read(): readonly RowReading[] {
    this.#isDone = this.#state.hasUsage;
    const read = readStoreOf(this.#path, { sessionId: this.#sessionId, after: this.#lastRow });
    if (!read.ok) return [];
    return read.value.map(({ rowId, response }): RowReading => {
      this.#lastRow = Math.max(this.#lastRow, rowId);
      if (response === null) return { outcome: "malformed" };
      const { at, record } = response;
      const { agentId } = record;
      const events = this.#events(response);
      return { outcome: "known", isSidechain: false, at, events, ...(agentId === null ? {} : { agentId }) };
    });
  }

  #events({ record, at, isCompaction, endsTurn }: StoredResponse): TranscriptEvent[] {
    const { firstUsageAt } = this.#state;
    const messageId = this.#names.next(this.#sessionId, record.usage);
    if (this.#isDone && (firstUsageAt === null || at === null || at >= firstUsageAt)) return [];
    const response: ApiResponse = {
      messageId,
      requestId: null,
      model: record.model ?? "unknown",
      at,
      usage: record.usage,
      sessionId: this.#sessionId,
      cwd: record.cwd,
      isSidechain: record.agentId !== null || isCompaction || this.#isDone,
    };
    return [{ kind: "response", response, isCopy: false, endsTurn }];
  }
}

/** Upper bound; the file is much smaller. Bytes. */
const maxSize = 64 * 1024;
/** Characters. */
const maxTitleLength = 1000;

/** The facts in the file beside a session's events: `name` is its title, given by the agent or the user. */
const workspace = z.looseObject({ name: optionalText, cwd: optionalText, branch: optionalText });

/** Reads a session's `workspace.yaml`, which its events do not repeat. */
export class WorkspaceFile implements WholeReader {
  readonly #path: string;
  readonly #state: SessionState;

  constructor(path: string, state: SessionState) {
    this.#path = path;
    this.#state = state;
  }

  stats(): ReturnType<WholeReader["stats"]> {
    return statSync(this.#path, { throwIfNoEntry: false });
  }

  /** A half-written or removed file yields nothing. */
  read(): readonly RowReading[] {
    const facts = workspace.safeParse(this.#parsed()).data;
    if (facts === undefined) return [];
    const events: TranscriptEvent[] = [];
    const title = facts.name ?? "";
    if (title !== "") events.push({ kind: "title", title: title.slice(0, maxTitleLength) });
    // The events follow the agent into other folders.
    const cwd = this.#state.cwd ?? facts.cwd ?? null;
    if (cwd !== null && cwd === facts.cwd) events.push({ kind: "place", cwd, branch: facts.branch ?? null });
    return [{ outcome: "known", isSidechain: false, at: null, events }];
  }

  #parsed(): unknown {
    try {
      return parse(readOpeningText(this.#path, maxSize), { maxAliasCount: 0, logLevel: "silent" });
    } catch {
      return undefined;
    }
  }
}

const maxWaiting = 10;

export class SessionFinder implements live.SessionFinder {
  readonly #root: string;
  readonly #isAlive: live.IsAlive;
  readonly #states = new Map<string, SessionState>();
  /** Folders of sessions without a prompt yet, where their rows will appear. */
  #waiting: readonly string[] = [];

  constructor([root = ""]: readonly string[], isAlive: live.IsAlive) {
    this.#root = root;
    this.#isAlive = isAlive;
  }

  find(since: number): live.FoundSessions {
    if (this.#root === "") return { files: [], running: new Set(), problems: [] };
    const { folders, problems } = findSessionFolders(this.#root, this.#isAlive);
    const running = new Set(folders.flatMap(({ sessionId, isRunning }) => (isRunning ? [sessionId] : [])));
    this.#waiting = waiting(folders);
    const known = new Set(folders.map(({ sessionId }) => sessionId));
    for (const id of this.#states.keys()) if (!known.has(id)) this.#states.delete(id);
    const hasStore = canRead(copilotStore(this.#root));
    const files = folders.flatMap((folder) => this.#filesOf(folder, { since, hasStore }));
    return { files, running, problems };
  }

  folders(recent: Iterable<live.FollowedSession>): Set<string> {
    const folders = new Set([this.#root, path.join(this.#root, "session-state"), ...this.#waiting]);
    for (const { files } of recent)
      for (const { path: file } of files)
        if (file !== copilotStore(this.#root)) folders.add(path.dirname(file));
    return folders;
  }

  matters(changedPath: string): boolean {
    const [parent, session = "", name, ...deeper] = path.relative(this.#root, changedPath).split(path.sep);
    if (parent !== "session-state" || session.startsWith(".") || deeper.length > 0) return false;
    return name === undefined || showsSession(name);
  }

  #filesOf(
    { sessionId, path: folder, events, isRunning }: SessionFolder,
    { since, hasStore }: { readonly since: number; readonly hasStore: boolean },
  ): live.SessionFile[] {
    if (events === undefined) return [];
    const state = this.#states.get(sessionId) ?? new SessionState();
    const { mtimeMs } = events;
    const common = { sessionId, agentId: null };
    const aside = { ...common, size: 0, mtimeMs, kind: "whole", isAside: true } as const;
    const rows: live.SessionFile = {
      ...events,
      ...common,
      kind: "lines",
      open: () => new EventRows({ sessionId, state, hasStore: () => canRead(copilotStore(this.#root)) }),
    };
    if (mtimeMs < since && !isRunning) return [rows];
    this.#states.set(sessionId, state);
    const workspace = path.join(folder, "workspace.yaml");
    const store = copilotStore(this.#root);
    return [
      rows,
      { ...aside, path: workspace, open: () => new WorkspaceFile(workspace, state) },
      ...(hasStore ? [{ ...aside, path: store, open: () => new StoredRows(store, sessionId, state) }] : []),
    ];
  }
}

/** The newest folders: some that never got a prompt may stay forever. */
function waiting(folders: readonly SessionFolder[]): string[] {
  return folders
    .filter(({ events }) => events === undefined)
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter(({ isRunning }, index) => isRunning || index < maxWaiting)
    .map((folder) => folder.path);
}

function canRead(store: string): boolean {
  return statsOfStore(store) !== undefined && runtimeSqlite() !== undefined;
}

/**
 * Share of the window at which the agent begins to compact in the background: measured with 1.0.102, documented for its
 * SDK. At 95 % it would wait for the compaction.
 */
const backgroundShare = 0.8;

export const liveReader: LiveReader = {
  finder: (roots, isAlive) => new SessionFinder(roots, isAlive),
  // No setting moves the threshold, and the plan decides a model's window.
  settings: () => ({ ...unsetAgentSettings, usesCatalogueWindows: false }),
  usualThreshold: ({ window }) => Math.floor(window * backgroundShare),
  // Each response reports it, if the agent knows.
  cacheLife: null,
  compactionMarks: ["session.compaction_complete"],
  transcriptOf,
};
