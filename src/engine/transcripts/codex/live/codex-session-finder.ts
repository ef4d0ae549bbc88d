import path from "node:path";
import type * as live from "../../live-reader.ts";
import { statSync, type Stats } from "node:fs";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import { walkFiles, type FoundFile, listNames } from "../../walk-files.ts";
import { pairsOfRollouts } from "../codex-attribution.ts";
import { rolloutNameOf, sessionIdOf } from "../codex-files.ts";
import { Rows } from "./codex-rows.ts";
import { lockedThread, openThreads, type LockedInodes } from "./thread-locks.ts";
import { readOpening, readOpeningText } from "../../open-file.ts";
import { readRolloutLine } from "../rollout-row.ts";
import type { SessionMeta } from "../codex-row-schema.ts";
import * as z from "zod/mini";
import { readJson } from "../../../base/parse.ts";
import type { RowReading } from "../../agent-session.ts";
import type { WholeReader } from "../../live-reader.ts";

/** The first line holds the agent's instructions, so it is long. Bytes. */
const maxSize = 1024 * 1024;
const newline = 0x0a;

interface ThreadOpening {
  /** The thread that started this one as its subagent; null for a thread that a person started. */
  readonly startedBy: string | null;
  /** The session it belongs to, if the version records it. */
  readonly sessionId: string | null;
}

const ofPerson: ThreadOpening = { startedBy: null, sessionId: null };

/**
 * Reads a rollout's first line; null while it is not written yet. A file that begins otherwise counts as a thread
 * without a parent.
 */
function readThreadOpening(path: string): ThreadOpening | null {
  let opening: Buffer | undefined;
  try {
    opening = readOpening(path, maxSize);
  } catch (error) {
    // The reader of the whole file reports why.
    rethrowUnlessSystemError(error);
    return ofPerson;
  }
  const end = opening?.indexOf(newline) ?? -1;
  if (opening === undefined || (end === -1 && opening.length === maxSize)) return ofPerson;
  if (end === -1) return null;
  const line = readRolloutLine(opening.subarray(0, end));
  return line.kind === "row" && line.row.type === "session_meta" ? openingOf(line.row.meta) : ofPerson;
}

function openingOf({
  id,
  session_id: session,
  parent_thread_id: parent,
  source,
}: SessionMeta): ThreadOpening {
  if (source === null || source === undefined) return ofPerson;
  const root = session === id ? null : (session ?? null);
  return {
    startedBy: source.subagent.thread_spawn?.parent_thread_id ?? parent ?? root,
    sessionId: root,
  };
}

/** `sessions/<year>/<month>/<day>`. */
const depth = 3;
const archive = "archived_sessions";

/**
 * Finds the rollouts that may still grow: not compressed, and archived ones only on request. Subagents' rollouts belong
 * to the session that started them.
 */
export class SessionFinder implements live.SessionFinder {
  readonly #homes: readonly Home[];
  readonly #lockedInodes: LockedInodes;
  readonly #openings = new Map<string, ThreadOpening>();
  readonly #threads = new Map<string, Thread[]>();

  constructor(roots: readonly string[], lockedInodes: LockedInodes, archived = false) {
    this.#homes = roots.filter((root) => archived || path.basename(root) !== archive).map(homeOf);
    this.#lockedInodes = lockedInodes;
  }

  find(since: number): live.FoundSessions {
    this.#threads.clear();
    const problems = this.#homes.flatMap((home) => {
      const found = walkFiles(home.sessions, { depth, wanted: isLive });
      for (const file of found.files) this.#note({ file, home }, since);
      return found.problems;
    });
    const running = new Set(this.#homes.flatMap((home) => this.#running(home)));
    const files = Array.from(this.#threads, ([id, threads]) => this.#filesOf(id, threads, running));
    return { files: files.flat(), running, problems };
  }

  folders(recent: Iterable<live.FollowedSession>): Set<string> {
    const folders = new Set<string>();
    for (const { sessions, locks } of this.#homes) {
      folders.add(path.dirname(sessions)).add(locks);
      for (const folder of newestFolders(sessions)) folders.add(folder);
    }
    for (const { files } of recent) for (const { path: file } of files) folders.add(path.dirname(file));
    return folders;
  }

  matters(changedPath: string): boolean {
    return this.#homes.some(({ sessions, locks }) => {
      if (changedPath === locks || changedPath === sessions) return true;
      const parent = path.dirname(changedPath);
      const name = path.basename(changedPath);
      if (parent === locks) return lockedThread(name) !== null;
      return changedPath.startsWith(sessions + path.sep) && (isLive(name) || isDated(name));
    });
  }

  /** Of two files of one rollout only the first counts. An old one is not opened. */
  #note(thread: Thread, since: number): void {
    const { path: file, mtimeMs } = thread.file;
    const id = sessionIdOf(file) ?? file;
    const threads = this.#threads.get(id) ?? [];
    if (threads.some((known) => rolloutNameOf(known.file.path) === rolloutNameOf(file))) return;
    const isKnown = mtimeMs < since || this.#openings.has(id);
    const opening = isKnown ? undefined : readThreadOpening(file);
    // The rollout's first line, which names its thread, is not written yet.
    if (opening === null) return;
    if (opening !== undefined) this.#openings.set(id, opening);
    this.#threads.set(id, [...threads, thread]);
  }

  /** A thread's rollouts, sorted by their names, which begin with a time; and the file that holds its name. */
  #filesOf(threadId: string, threads: readonly Thread[], running: ReadonlySet<string>): live.SessionFile[] {
    const inOrder = threads.toSorted((one, other) =>
      rolloutNameOf(one.file.path) < rolloutNameOf(other.file.path) ? -1 : 1,
    );
    const files = inOrder.flatMap((thread) => this.#sessionFiles(threadId, thread, running));
    return [...new Map(files.map((file) => [file.path, file])).values()];
  }

  #sessionFiles(threadId: string, { file, home }: Thread, running: ReadonlySet<string>): live.SessionFile[] {
    const sessionId = this.#rootOf(threadId);
    const isSubagent = sessionId !== threadId;
    const rollout: live.SessionFile = {
      ...file,
      sessionId,
      agentId: isSubagent ? threadId : null,
      kind: "lines",
      open: () =>
        new Rows({
          threadId,
          sessionId,
          isSubagent,
          pairsOf: pairsOfRollouts((id) => this.#threads.get(id)?.map((thread) => thread.file.path) ?? []),
        }),
    };
    // Names of old threads are not followed.
    if (isSubagent || !(this.#openings.has(threadId) || running.has(threadId))) return [rollout];
    const open = () => new ThreadNameReader(home.names, threadId);
    return [rollout, { ...rollout, path: home.names.path, kind: "whole", isAside: true, open }];
  }

  #running({ locks }: Home): string[] {
    return openThreads(locks, this.#lockedInodes).map((id) => this.#rootOf(id));
  }

  /** The thread that a person started. A subagent may start subagents of its own; hostile files may form a cycle. */
  #rootOf(threadId: string): string {
    const seen = new Set<string>();
    let root = threadId;
    while (!seen.has(root)) {
      seen.add(root);
      const opening = this.#openings.get(root);
      const next = opening?.sessionId ?? opening?.startedBy ?? null;
      if (next === null) return root;
      root = next;
    }
    return threadId;
  }
}

interface Thread {
  readonly file: FoundFile;
  readonly home: Home;
}

interface Home {
  readonly sessions: string;
  readonly locks: string;
  readonly names: ThreadNames;
}

function homeOf(sessions: string): Home {
  const home = path.dirname(sessions);
  return {
    sessions,
    locks: path.join(home, "thread-writer-locks"),
    names: new ThreadNames(path.join(home, "session_index.jsonl")),
  };
}

function isLive(name: string): boolean {
  return name.endsWith(".jsonl") && sessionIdOf(name) !== undefined;
}

function isDated(name: string): boolean {
  return /^\d{2}(?:\d{2})?$/u.test(name);
}

/**
 * The folders where new sessions appear: the root, its latest year, that year's latest month, and that month's latest
 * day.
 */
function newestFolders(sessions: string): string[] {
  const folders = [sessions];
  for (
    let level = 0, folder: string | undefined = sessions;
    level < depth && folder !== undefined;
    level += 1
  ) {
    folder = newestIn(folder);
    if (folder !== undefined) folders.push(folder);
  }
  return folders;
}

function newestIn(folder: string): string | undefined {
  const newest = listNames(folder, []).findLast(isDated);
  return newest === undefined ? undefined : path.join(folder, newest);
}

const namedThread = z.looseObject({ id: z.string(), thread_name: z.string() });

/** Larger than any real list of names. Bytes. */
const maxNamesSize = 4 * 1024 * 1024;
/** A row may be long; stored parts of it are cut to this length. Characters. */
const maxNameLength = 1000;

/** The names that people gave to their threads: Codex appends each to `session_index.jsonl`. */
class ThreadNames {
  readonly path: string;
  #names: ReadonlyMap<string, string> = new Map();
  #version = "";

  constructor(path: string) {
    this.path = path;
  }

  stats(): Stats | undefined {
    return statSync(this.path, { throwIfNoEntry: false });
  }

  of(threadId: string): string | undefined {
    const stats = this.stats();
    const version = `${stats?.size} ${stats?.mtimeMs}`;
    if (version !== this.#version) this.#names = this.#read();
    this.#version = version;
    return this.#names.get(threadId);
  }

  /** The last name of a thread counts. */
  #read(): Map<string, string> {
    const text = readOpeningText(this.path, maxNamesSize);
    const rows = text.split("\n").flatMap((line) => readJson(namedThread, line) ?? []);
    return new Map(rows.map(({ id, thread_name: name }) => [id, name.slice(0, maxNameLength)]));
  }
}

/** Reads one thread's name after each change of the file. */
class ThreadNameReader implements WholeReader {
  readonly #names: ThreadNames;
  readonly #threadId: string;

  constructor(names: ThreadNames, threadId: string) {
    this.#names = names;
    this.#threadId = threadId;
  }

  stats(): ReturnType<WholeReader["stats"]> {
    return this.#names.stats();
  }

  read(): readonly RowReading[] {
    const title = this.#names.of(this.#threadId);
    if (title === undefined) return [];
    return [{ outcome: "known", isSidechain: false, at: null, events: [{ kind: "title", title }] }];
  }
}
