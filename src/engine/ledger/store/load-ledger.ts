import { fail, succeed, type Result } from "../../base/result.ts";
import { sentence, type Sentence, compose } from "../../base/language.ts";
import { type Database, pagedDatabase } from "./database.ts";
import { EntryWriter } from "./entry-writer.ts";
import { readJournal, type JournalReading } from "../journal/reader.ts";
import type { JournalEntry } from "../journal/line.ts";
import { migrate, schemaVersion, tableFault } from "./migrate.ts";
import { firstVersion, latestVersion, migrations } from "./migrations.ts";
import { redactTexts, setUnredacted, unredacted } from "../redact/texts.ts";
import { findWorking, WorkingFile } from "../pages/working-file.ts";
import { PagedFile } from "../pages/paged-file.ts";
import {
  contentOf,
  readLedger,
  type SnapshotContent,
  type SnapshotFault,
  type SnapshotStore,
  type StorePorts,
} from "./snapshots.ts";

/** A ledger's content at opening, and its state as found. */
export interface LoadedLedger {
  readonly db: Database;
  readonly writer: EntryWriter;
  readonly working: WorkingFile;
  /** The snapshot it started from: the current one, the previous one, or none. */
  readonly snapshot: "current" | "previous" | "none";
  readonly faults: readonly SnapshotFault[];
  readonly journal: JournalReading;
  /** Why entries fit into no table: bugs of purser. */
  readonly unfitting: readonly Sentence[];
  /** The file as found: its schema version, the number of its last entry, its content. Null without a file. */
  readonly found: {
    readonly version: number;
    readonly applied: number;
    readonly content: SnapshotContent;
  } | null;
}

interface LoadInput {
  readonly folder: string;
  readonly store: SnapshotStore;
  readonly ports: StorePorts;
  readonly journalFolder: string;
  /** The steps after the first schema. */
  readonly steps: readonly string[];
  /** Whether this process writes the ledger: a reader leaves the working file to the writer. */
  readonly mayWrite: boolean;
}

/** The pages a ledger starts from, as found in a file. */
interface Found {
  readonly db: Database;
  readonly working: WorkingFile;
  readonly isCurrent: boolean;
  /** Null when there was no file. */
  readonly held: { readonly applied: number; readonly content: SnapshotContent } | null;
  readonly faults: readonly SnapshotFault[];
}

/** Why a ledger with intact pages cannot be used. */
export type LoadReason = "migration_failed" | "wrong_tables" | "denied";

/**
 * A file that may not be read is whole: if it were set aside as damaged, everything that only it holds would be
 * missing.
 */
const denials: readonly string[] = ["EACCES", "EPERM"];

/**
 * Takes the best content available, migrates it and replays the journal. With `mayWrite` it first finishes an
 * interrupted checkpoint, removes what killed processes left and creates a log of changed pages; nothing else changes
 * on disk.
 */
export async function loadLedger(input: LoadInput): Promise<Result<LoadedLedger, LoadReason>> {
  const found = await find(input);
  const denied = found.faults.find(({ reason }) => denials.includes(reason));
  if (denied !== undefined) {
    await closeLoaded(found);
    return fail("denied", compose`${denied.path}: ${denied.reason}`);
  }
  let isLoaded = false;
  try {
    const loaded = await bringUpToDate(found, input);
    isLoaded = loaded.ok;
    return loaded;
  } finally {
    if (!isLoaded) await closeLoaded(found);
  }
}

export async function closeLoaded({ db, working }: Pick<Found, "db" | "working">): Promise<void> {
  db.close();
  await working.close();
}

async function bringUpToDate(
  { db, working, held, isCurrent, faults }: Found,
  { store, ports, journalFolder, steps, mayWrite }: LoadInput,
): Promise<Result<LoadedLedger, LoadReason>> {
  const found = held === null ? null : { ...held, version: schemaVersion(db) };
  if (mayWrite) {
    await store.tidy();
    await working.begin();
  }
  if (!succeeds(() => migrate(db, steps)))
    return fail(
      "migration_failed",
      sentence(
        "the tables of {0}, of an earlier purser (schema {1}), cannot be brought up to date",
        store.current,
        found?.version ?? 0,
      ),
    );
  // A newer version's tables are checked by the queries themselves.
  const isOwn = steps === migrations && schemaVersion(db) === latestVersion(steps);
  const lacking = isOwn ? tableFault(db) : null;
  if (lacking !== null) return fail("wrong_tables", compose`${store.current}: ${lacking}`);
  const writer = new EntryWriter(db);
  const unfitting: Sentence[] = [];
  const journal = await readJournal(
    { folder: journalFolder, files: ports.files, applied: held?.applied ?? 0 },
    (entries) => void unfitting.push(...replay(writer, entries)),
  );
  // After the journal, which may hold secrets as well. Without a snapshot, the version that wrote it is unknown.
  const isOlder = found === null ? journal.replayed + faults.length > 0 : found.version < firstVersion;
  if (isOlder) setUnredacted(db, "ledger");
  // A snapshot with the mark was redacted before it was written: the mark is for the other files.
  if (isOlder || (mayWrite && unredacted(db) === "ledger")) redactTexts(db);
  // The process may have ended before the ledger was filled.
  if (mayWrite) writer.endFill();
  const kind = isCurrent ? "current" : "previous";
  const snapshot = held === null ? "none" : kind;
  return succeed({ db, writer, working, snapshot, faults, journal, unfitting, found });
}

async function find({ folder, store, ports, mayWrite }: LoadInput): Promise<Found> {
  const found = mayWrite ? await findWorking(folder, ports) : null;
  const faults: SnapshotFault[] = [];
  if (found !== null && "file" in found) {
    const pages = new PagedFile(found.file);
    const read = readLedger(() => pagedDatabase(ports.engine, pages), true);
    const working = new WorkingFile(pages, found, { ...ports, folder });
    if (read !== undefined) {
      const held = { applied: read.applied, content: contentOf(found.file) };
      return { db: read.db, working, held, isCurrent: true, faults };
    }
    await working.close();
    faults.push({ path: working.path, reason: "damaged" });
  } else if (found !== null) faults.push(found);
  const loaded = await store.load();
  const isCurrent = loaded.isCurrent && faults.length === 0;
  faults.push(...loaded.faults);
  const { snapshot } = loaded;
  const pages = snapshot?.pages ?? new PagedFile(null);
  const db = snapshot?.db ?? pagedDatabase(ports.engine, pages);
  const working = new WorkingFile(pages, snapshot?.file ?? null, { ...ports, folder });
  const held = snapshot && { applied: snapshot.applied, content: contentOf(snapshot.file) };
  return { db, working, held, isCurrent, faults };
}

/** Entries replayed together: a transaction's changes stay in memory until it ends. */
const part = 400;

function replay(writer: EntryWriter, entries: readonly JournalEntry[]): Sentence[] {
  const unfitting: Sentence[] = [];
  for (let start = 0; start < entries.length; start += part)
    unfitting.push(...replayPart(writer, entries.slice(start, start + part)));
  return unfitting;
}

/** Replays entries together, or one by one if that fails: one bad entry must not keep the ledger closed. */
function replayPart(writer: EntryWriter, entries: readonly JournalEntry[]): Sentence[] {
  const isWhole = succeeds(() =>
    writer.write(
      entries.map(({ entry }) => entry),
      entries.at(-1)?.number ?? 0,
    ),
  );
  if (isWhole) return [];
  return entries.flatMap(({ number, entry }) =>
    succeeds(() => writer.write([entry], number))
      ? []
      : [sentence("entry {0} ({1}) fits into no table", number, entry.kind)],
  );
}

/** The database's own message for a failure does not help a person. */
function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
