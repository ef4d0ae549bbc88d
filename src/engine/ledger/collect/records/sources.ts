import type { UsageReader, RecordFile, AttributedLines } from "../../../transcripts/usage-reader.ts";
import type { AttributedSession, NamedRecord } from "../../../transcripts/records.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { FoundSources } from "../found-sources.ts";
import { LineSource } from "../line-source.ts";
import type { Source } from "../collect-source.ts";
import { WholeSource, ChangedEntries } from "../whole-source.ts";
import { activityEntries } from "./activity.ts";
import { rowEntries, sessionEntries } from "./records-entries.ts";
import type { EntryReader } from "../entry-reader.ts";
import { isDeepStrictEqual } from "node:util";

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

/** The files of an agent with usage records, as the ledger's sources. */
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
