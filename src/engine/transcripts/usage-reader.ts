import { statSync } from "node:fs";
import { type Result, type FileProblem, succeed, fail, errorCode } from "../base/result.ts";
import type { UsageRecord } from "../usage/aggregate.ts";
import type { AgentSession, SessionLines, SkippedLines } from "./agent-session.ts";
import type { AttributedSession, NamedRecord } from "./records.ts";
import type { FoundFile } from "./walk-files.ts";
import { plainSentence } from "../base/language.ts";
import { FileTail } from "./file-tail.ts";
import { readOpening } from "./open-file.ts";

export interface UsageReader {
  /** Returns a finder of the agent's files below its roots, called again whenever they may have changed. */
  readonly finder: (roots: readonly string[]) => () => FoundRecords;
  /** Reads everything below the roots once, each response counted once. */
  readonly readUsage: (roots: readonly string[]) => UsageRead;
}

interface FoundRecords {
  readonly files: readonly RecordFile[];
  /** The folders that hold all of the files, however deep. They need not exist. */
  readonly areas: readonly string[];
  readonly problems: readonly FileProblem[];
}

/** A file with usage records: one session as lines that grow, or a file that is read whole whenever it changes. */
export type RecordFile = FoundFile &
  (
    | { readonly lines: () => AttributedLines; readonly whole: null }
    | { readonly lines: null; readonly whole: WholeFile }
  );

interface WholeFile {
  /** Size and time now; undefined when the file is gone. */
  readonly stats: () => Omit<FoundFile, "path"> | undefined;
  readonly read: () => Result<AttributedSession | readonly NamedRecord[], UnreadableFile>;
}

/** Reads one session's lines in pieces as the file grows, as `SessionLines` does. */
export interface AttributedLines extends Pick<SessionLines, "line" | "oversized"> {
  session(): AttributedSession;
}

export interface UsageRead {
  readonly records: readonly UsageRecord[];
  readonly problems: readonly FileProblem[];
  readonly malformed: number;
  readonly oversized: number;
  readonly files: number;
}

export function attributedLines<Item extends UsageRecord>(
  lines: SessionLines<Item>,
  attribute: (session: AgentSession<Item>) => AttributedSession,
): AttributedLines {
  return {
    line: (line) => lines.line(line),
    oversized: () => lines.oversized(),
    session: () => attribute(lines.session()),
  };
}

/** Why a file could not be read. `refused`: not a regular file; `unsupported`: this runtime lacks what it needs. */
export type UnreadableFile = "gone" | "denied" | "refused" | "unsupported" | "damaged";

/** Reads a session's file line by line to its end. Never blocks on a FIFO; an unreadable file is a named failure. */
export function readSessionFile<Item extends UsageRecord>(
  path: string,
  start: () => SessionLines<Item>,
): Result<AgentSession<Item>, UnreadableFile> {
  let lines = start();
  const tail = new FileTail(path, {
    onRestart: () => (lines = start()),
    onLine: (line) => lines.line(line),
    onOversized: () => lines.oversized(),
  });
  const { state } = tail.poll(Infinity);
  return state === "reading" ? succeed(lines.session()) : fail(state, plainSentence(path));
}

/** Reads a file as a whole; undefined if it is longer than `maxBytes` bytes. Never blocks on a FIFO. */
export function readWholeFile(path: string, maxBytes: number): Result<Buffer | undefined, UnreadableFile> {
  try {
    const { size } = statSync(path);
    if (size > maxBytes) return succeed(undefined);
    const bytes = readOpening(path, size);
    return bytes === undefined ? fail("refused", plainSentence(path)) : succeed(bytes);
  } catch (error) {
    return fail(errorCode(error) === "ENOENT" ? "gone" : "denied", plainSentence(path));
  }
}

/** A type may be as long as a line, so the stored name is cut. Characters. */
const maxTypeLength = 100;
/** A hostile file may name a new type in every line. */
const maxTypes = 100;

export class LineCounts {
  malformed = 0;
  oversized = 0;
  readonly #unknown = new Map<string, number>();

  unknown(type: string): void {
    const name = type.slice(0, maxTypeLength);
    const key = this.#unknown.has(name) || this.#unknown.size < maxTypes ? name : "others";
    this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + 1);
  }

  counts(): SkippedLines {
    return { malformed: this.malformed, oversized: this.oversized, unknown: new Map(this.#unknown) };
  }
}
