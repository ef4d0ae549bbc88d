import path from "node:path";
import type * as live from "../../live-reader.ts";
import { copilotStore, statsOfStore } from "../copilot-files.ts";
import { EventRows } from "./event-rows.ts";
import { findSessionFolders, tellsOfSession, type SessionFolder } from "./session-folders.ts";
import { SessionState } from "./session-state.ts";
import { StoredRows } from "./stored-rows.ts";
import { WorkspaceFile } from "./workspace-file.ts";
import { runtimeSqlite } from "../read-store.ts";

const mostWaiting = 10;

/** Finds Copilot CLI's sessions. There is one root. */
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
    return name === undefined || tellsOfSession(name);
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

/** The newest: of those that never got a prompt some may stay for good. */
function waiting(folders: readonly SessionFolder[]): string[] {
  return folders
    .filter(({ events }) => events === undefined)
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter(({ isRunning }, index) => isRunning || index < mostWaiting)
    .map((folder) => folder.path);
}

function canRead(store: string): boolean {
  return statsOfStore(store) !== undefined && runtimeSqlite() !== undefined;
}
