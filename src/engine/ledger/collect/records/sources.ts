import type {
  UsageReader,
  RecordFile,
  AttributedLines,
  UnreadableFile,
} from "../../../transcripts/usage-reader.ts";
import type { AttributedSession, NamedRecord } from "../../../transcripts/records.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import {
  type FoundSources,
  type Source,
  type EntryReader,
  nothingRead,
  type SourceReader,
  type SourceReading,
} from "../collect-source.ts";
import { LineSource } from "../line-source.ts";
import { activityEntries } from "./activity.ts";
import { rowEntries, sessionEntries } from "./records-entries.ts";
import { isDeepStrictEqual } from "node:util";
import { sentence, type Sentence } from "../../../base/language.ts";
import type { Result } from "../../../base/result.ts";
import { crc32 } from "node:zlib";

type Content = Pick<AttributedSession, "session" | "records">;

/**
 * Passes on only the records that are new or changed since the last time, so that no entries are made of the others:
 * nearly all of a growing file's records. Most of those are the very same objects.
 */
export class FreshRecords {
  #held: readonly NamedRecord[] = [];
  #origin = "";

  take({ session: { facts }, records }: Content): readonly NamedRecord[] {
    const [before, origin] = [this.#held, this.#origin];
    this.#held = records;
    // Facts that every response in the session repeats.
    this.#origin = JSON.stringify([facts.sessionId, facts.kind, facts.branch]);
    if (this.#origin !== origin) return records;
    let byId: ReadonlyMap<string, NamedRecord> | undefined;
    return records.filter((named, index) => {
      if (isSame(before[index], named)) return false;
      byId ??= new Map(before.map((each) => [each.id, each]));
      return !isSame(byId.get(named.id), named);
    });
  }
}

function isSame(one: NamedRecord | undefined, other: NamedRecord): boolean {
  if (one?.id !== other.id || one.isCopy !== other.isCopy || one.agentId !== other.agentId) return false;
  return one.record === other.record || isDeepStrictEqual(one.record, other.record);
}

/** Makes entries of a session, with responses only for these records. */
type EntriesOf = (session: AttributedSession, fresh: readonly NamedRecord[]) => LedgerEntry[];

/**
 * Turns a session's lines into entries. It cannot resume where another reader stopped: cumulative totals need all
 * earlier lines.
 */
export class RecordReader implements EntryReader {
  readonly #lines: AttributedLines;
  readonly #entriesOf: EntriesOf;
  readonly #fresh = new FreshRecords();
  readonly #changed = new ChangedEntries();

  constructor(lines: AttributedLines, entriesOf: EntriesOf) {
    this.#lines = lines;
    this.#entriesOf = entriesOf;
  }

  line(line: Buffer): boolean {
    return this.#lines.line(line);
  }

  oversized(): void {
    this.#lines.oversized();
  }

  take(): LedgerEntry[] {
    const session = this.#lines.session();
    const entries = this.#entriesOf(session, this.#fresh.take(session));
    return entries.filter((entry) => entry.kind === "response" || this.#changed.isChanged(entry));
  }

  state(): string {
    return "";
  }
}

/** Milliseconds. */
const betweenCollections = 5000;

export function recordSources(reader: UsageReader, roots: readonly string[]): () => FoundSources {
  const find = reader.finder(roots);
  return () => {
    const { files, areas, problems } = find();
    return { sources: files.map(sourceOf), areas, folders: [], problems };
  };
}

function sourceOf(file: RecordFile): Source {
  const { path, size, mtimeMs, lines, whole } = file;
  return {
    path,
    size,
    mtimeMs,
    rest: betweenCollections,
    open(position) {
      if (lines === null)
        return new WholeSource(path, {
          stats: whole.stats,
          read: () => {
            const read = whole.read();
            return read.ok ? { ok: true, value: entriesOf(read.value) } : read;
          },
        });
      const start = () => new RecordReader(lines(), attributedEntries);
      return new LineSource(path, { start, resumes: false }, position);
    },
  };
}

function entriesOf(content: AttributedSession | readonly NamedRecord[]): LedgerEntry[] {
  return "attribution" in content ? attributedEntries(content) : rowEntries(content);
}

/**
 * All facts in a session's file, as the ledger's entries.
 *
 * @param fresh records that become responses
 */
export function attributedEntries(
  { session, records, attribution }: AttributedSession,
  fresh: readonly NamedRecord[] = records,
): LedgerEntry[] {
  return [...sessionEntries(session, { records, fresh }), ...activityEntries(session, attribution)];
}

/**
 * Passes on only new or changed entries, so that formats that produce all of a file's entries each time need no check
 * of their own.
 */
class ChangedEntries {
  /** Checksums of the entries passed on, by entry key. */
  readonly #checksums = new Map<string, number>();

  takeChanged(entries: readonly LedgerEntry[]): LedgerEntry[] {
    return entries.filter((entry) => this.isChanged(entry));
  }

  /** Returns whether to pass the entry on, and records that it was. */
  isChanged(entry: LedgerEntry): boolean {
    // Every response repeats a limit at a new time, so only a change of the limit itself counts.
    const content = entry.kind === "plan-limit" ? { ...entry, at: 0 } : entry;
    const [key, sum] = [keyOf(entry), crc32(JSON.stringify(content))];
    if (this.#checksums.get(key) === sum) return false;
    this.#checksums.set(key, sum);
    return true;
  }
}

function keyOf(entry: LedgerEntry): string {
  if (entry.kind === "response") return `response ${entry.messageId}`;
  if (entry.kind === "plan-limit") return `plan-limit ${entry.name}`;
  if ("id" in entry) return `${entry.kind} ${entry.id}`;
  return JSON.stringify(entry);
}

type Stats = Pick<Source, "size" | "mtimeMs">;

interface WholeFormat {
  /** The file's current size and time; undefined when it is gone. */
  readonly stats: () => Stats | undefined;
  readonly read: () => Result<readonly LedgerEntry[], UnreadableFile>;
}

/** Reads a file that is rewritten when it changes, or that has no lines: all of it each time. */
class WholeSource implements SourceReader {
  readonly #path: string;
  readonly #format: WholeFormat;
  readonly #changed = new ChangedEntries();

  constructor(path: string, format: WholeFormat) {
    this.#path = path;
    this.#format = format;
  }

  read(): SourceReading {
    // Taken before reading, so that a write during the reading shows as a change.
    const stats = this.#format.stats();
    if (stats === undefined) return nothingRead;
    const read = this.#format.read();
    if (!read.ok) return { ...nothingRead, problem: read.reason === "gone" ? null : problems[read.reason] };
    return {
      entries: this.#changed.takeChanged(read.value),
      position: {
        kind: "position",
        path: this.#path,
        identity: "whole",
        offset: stats.size,
        size: stats.size,
        modifiedAt: stats.mtimeMs,
      },
      more: false,
      problem: null,
    };
  }
}

const problems: Readonly<Record<Exclude<UnreadableFile, "gone">, Sentence>> = {
  denied: sentence("it may not be read"),
  refused: sentence("it is no regular file"),
  unsupported: sentence("this runtime cannot read such files"),
  damaged: sentence("it is damaged"),
};
