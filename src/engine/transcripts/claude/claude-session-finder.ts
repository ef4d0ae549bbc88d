import path from "node:path";
import type * as live from "../live-reader.ts";
import * as z from "zod/mini";
import { findTranscripts, type TranscriptFile } from "./claude-files.ts";
import { SubagentMetaReader } from "./subagent-meta.ts";
import type { IsAlive, RowReader } from "../live-reader.ts";
import { readJson } from "../../base/parse.ts";
import type { RowReading, TranscriptEvent } from "../agent-session.ts";
import { readRow } from "./read-row.ts";
import { readOpeningText } from "../open-file.ts";
import { listNames } from "../walk-files.ts";

/** Enough for a subagent's first line, except for enormous prompts. Bytes. */
const opening = 256 * 1024;
const namesSession = z.looseObject({ sessionId: z.string().check(z.minLength(1)) });

/**
 * Old versions stored a subagent's transcript in the project's folder beside its session's, where only its lines name the
 * session. This class reads that session once and caches it.
 */
export class FlatSubagents {
  readonly #sessions = new Map<string, string>();

  /**
   * Returns the same files, each with its session where it can be found. A file whose path names no session is opened if
   * it changed since the given time, until a session was found in it. @param since milliseconds since the epoch
   */
  attach(files: readonly TranscriptFile[], since: number): TranscriptFile[] {
    return files.map((file) =>
      file.sessionId === null && file.mtimeMs >= since
        ? { ...file, sessionId: this.sessionOf(file.path) ?? this.#find(file.path) }
        : file,
    );
  }

  /** The session of a file passed to `attach` earlier, or null. */
  sessionOf(filePath: string): string | null {
    return this.#sessions.get(filePath) ?? null;
  }

  #find(filePath: string): string | null {
    const sessionId = firstSession(readLines(filePath));
    if (sessionId !== null) this.#sessions.set(filePath, sessionId);
    return sessionId;
  }
}

/** The whole lines a file begins with. An unreadable file has none: the reader of the full file reports why. */
function readLines(file: string): string[] {
  return readOpeningText(file, opening).split("\n").slice(0, -1);
}

function firstSession(lines: readonly string[]): string | null {
  for (const line of lines) {
    const row = readJson(namesSession, line);
    if (row !== null) return row.sessionId;
  }
  return null;
}

/** Upper bound; a registration is much smaller. Bytes. */
const maxSize = 64 * 1024;
const registration = z.looseObject({ pid: z.int().check(z.positive()), sessionId: z.string() });

/**
 * The sessions with a live process, according to the agent's own registry (`sessions/<pid>.json`). A file left behind by
 * a killed process does not count.
 */
export function runningSessions(roots: readonly string[], isAlive: IsAlive): Set<string> {
  const running = new Set<string>();
  for (const root of roots) {
    const folder = path.join(root, "sessions");
    for (const name of listNames(folder, [])) {
      if (!/^\d+\.json$/u.test(name)) continue;
      const found = readRegistration(path.join(folder, name));
      if (found !== null && isAlive(found.pid)) running.add(found.sessionId);
    }
  }
  return running;
}

/** A file may vanish, or be half-written, between listing and reading: the next poll then finds the session. */
function readRegistration(file: string): z.infer<typeof registration> | null {
  return readJson(registration, readOpeningText(file, maxSize));
}

export class SessionFinder implements live.SessionFinder {
  readonly #roots: readonly string[];
  readonly #isAlive: live.IsAlive;
  readonly #flat = new FlatSubagents();
  #projects: readonly string[] = [];

  constructor(roots: readonly string[], isAlive: live.IsAlive) {
    this.#roots = roots;
    this.#isAlive = isAlive;
  }

  find(since: number): live.FoundSessions {
    const { projects, files, problems } = findTranscripts(this.#roots);
    this.#projects = projects;
    const found = this.#flat.attach(files, since).flatMap(sessionFiles);
    return { files: found, running: runningSessions(this.#roots, this.#isAlive), problems };
  }

  folders(recent: Iterable<live.FollowedSession>): Set<string> {
    const folders = new Set(this.#projects);
    for (const root of this.#roots)
      folders.add(root).add(path.join(root, "projects")).add(path.join(root, "sessions"));
    for (const { files } of recent)
      for (const { path: file, agentId } of files) {
        folders.add(path.dirname(file));
        if (agentId !== null) continue;
        const session = file.slice(0, -".jsonl".length);
        folders.add(session).add(path.join(session, "subagents"));
      }
    return folders;
  }

  matters(changedPath: string): boolean {
    return this.#roots.some(
      (root) =>
        changedPath.startsWith(path.join(root, "projects")) ||
        changedPath.startsWith(path.join(root, "sessions")),
    );
  }
}

/** A transcript, and the metadata file beside a subagent's. Empty for a file with an unknown session. */
function sessionFiles(file: TranscriptFile): live.SessionFile[] {
  const { sessionId, agentId } = file;
  if (sessionId === null) return [];
  const transcript: live.SessionFile = {
    ...file,
    sessionId,
    kind: "lines",
    open: () => new LiveRows(sessionId, agentId),
  };
  return agentId === null ? [transcript] : [transcript, metaFile(transcript)];
}

function metaFile(transcript: live.SessionFile): live.SessionFile {
  const { sessionId, agentId, mtimeMs } = transcript;
  const file = transcript.path.replace(/\.jsonl$/u, ".meta.json");
  const open = () => new SubagentMetaReader(file);
  return { path: file, size: 0, mtimeMs, sessionId, agentId, kind: "whole", open, isAside: true };
}

/**
 * Reads the rows of one transcript, and marks a fork's copies even where older versions do not. The first row of a
 * session's own file is newer than the history copied into it, and that history comes before the session's own
 * responses. A row that is older than the first, but follows one of these responses, was written after the clock was
 * set back. A file may lack its older rows, and begin with a row whose parent is missing: there older rows are the
 * session's own.
 */
export class LiveRows implements RowReader {
  readonly #sessionId: string;
  readonly #agentId: string | null;
  #bornAt: number | null = null;
  /** Whether a response of the session itself was read. */
  #hasOwn = false;

  /** @param agentId the subagent that wrote the file; null for a session's own */
  constructor(sessionId: string, agentId: string | null) {
    this.#sessionId = sessionId;
    this.#agentId = agentId;
  }

  read(line: Buffer): RowReading {
    const reading = readRow(line, { sessionId: this.#sessionId });
    if (reading.outcome !== "known" || this.#agentId !== null) return reading;
    if (this.#bornAt === null && reading.at !== null) this.#bornAt = goesOn(line) ? -Infinity : reading.at;
    return { ...reading, events: reading.events.map((event) => this.#marked(event, reading.at)) };
  }

  #marked(event: TranscriptEvent, rowAt: number | null): TranscriptEvent {
    if (event.kind !== "response" && event.kind !== "tool-call") return event;
    const at = event.kind === "response" ? event.response.at : rowAt;
    const isOlder = at !== null && this.#bornAt !== null && at < this.#bornAt;
    if (isOlder && !this.#hasOwn) return { ...event, isCopy: true };
    this.#hasOwn ||= event.kind === "response" && !event.isCopy;
    return event;
  }
}

/** Whether a row has a parent even though no row precedes it. */
function goesOn(row: Buffer): boolean {
  return row.includes('"parentUuid":"') || row.includes('"logicalParentUuid":"');
}
