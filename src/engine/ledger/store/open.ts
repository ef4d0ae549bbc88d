import { projectFolder } from "../../base/paths.ts";
import { sentence, type Sentence, compose } from "../../base/language.ts";
import path from "node:path";
import { withRefusalRemedy } from "../../base/files.ts";
import { type Result, type Failure, succeed, fail, errorCode } from "../../base/result.ts";
import { takeLock, type HeldLock } from "../../base/lock.ts";
import { Ledger, type ReadOnlyReason } from "../ledger.ts";
import { journalFolderName, lockIn, type LedgerPorts } from "../journal.ts";
import { LedgerWriting } from "./writing.ts";
import { closeLoaded, loadLedger, type LoadedLedger, type LoadReason } from "./load-ledger.ts";
import { latestVersion, migrations } from "./migrations.ts";
import { mustReread, reportOpening, type SetAside } from "./opening-report.ts";
import { selectPositions, selectSessions } from "../questions/queries.ts";
import type { Database } from "./database.ts";
import { setUnredacted, unredacted, type Unredacted } from "../redact/texts.ts";
import { redactCopies } from "../redact/copies.ts";
import { journalSize } from "../journal/segment.ts";
import { SnapshotStore } from "./snapshots.ts";

export interface OpenOptions extends LedgerPorts {
  /** `~/.purser`; created if missing. */
  readonly folder: string;
  /** `read` takes no lock and changes nothing in the folder. Default: `write`. */
  readonly access?: "read" | "write";
  /**
   * Bytes of journal after which a snapshot is made automatically, if the ledger is not larger than that. Default: 16
   * MiB.
   */
  readonly snapshotAfter?: number;
  /** Bytes of changed pages after which the working file is updated. Default: 64 MiB. */
  readonly checkpointAfter?: number;
  /** The steps after the first schema, oldest first; only tests pass other steps. */
  readonly steps?: readonly string[];
}

export type OpenReason = "unreadable" | "newer_version" | LoadReason;

const [defaultSnapshotAfter, defaultCheckpointAfter] = [16 << 20, 64 << 20];
/**
 * A reader tries again: in between, the writer may have made a snapshot and removed journal segments that the reader
 * needed.
 */
const attempts = 3;

/**
 * Opens the ledger: snapshot, then journal. A ledger that cannot be written is opened for reading, with the reason in
 * `readOnly`. Damaged files are set aside, never overwritten, and listed in `report`.
 */
export async function openLedger(options: OpenOptions): Promise<Result<Ledger, OpenReason>> {
  const claim = await claimFolder(options);
  try {
    const opened = await load(options, claim);
    if (!opened.ok) await claim.lock?.release();
    return opened;
  } catch (error) {
    await claim.lock?.release();
    return fail("unreadable", compose`${options.folder}: ${errorCode(error)}`);
  }
}

interface Claim {
  readonly lock: HeldLock | null;
  readonly readOnly: Failure<ReadOnlyReason> | null;
}

async function claimFolder({ folder, access = "write", ...ports }: OpenOptions): Promise<Claim> {
  if (access === "read")
    return { lock: null, readOnly: fail("asked", sentence("it was opened for reading")) };
  try {
    await ports.files.makeFolder(path.join(folder, journalFolderName));
    const lock = await takeLock(lockIn(folder), ports);
    return lock.ok ? { lock: lock.value, readOnly: null } : { lock: null, readOnly: lock };
  } catch (error) {
    return { lock: null, readOnly: unwritable(compose`${folder}: ${errorCode(error)}`) };
  }
}

function unwritable(why: Sentence): Failure<"unwritable_folder"> {
  return fail("unwritable_folder", withRefusalRemedy(why));
}

async function load(options: OpenOptions, claim: Claim): Promise<Result<Ledger, OpenReason>> {
  const { folder, steps = migrations } = options;
  const journalFolder = path.join(folder, journalFolderName);
  const store = new SnapshotStore(folder, options);
  const input = { folder, store, ports: options, journalFolder, steps };
  const { lock } = claim;
  if (lock === null) return loadToRead(input, claim.readOnly);
  let loaded: LoadedLedger | undefined;
  try {
    const result = await loadLedger({ ...input, mayWrite: true });
    if (!result.ok) {
      if (result.reason !== "denied") return result;
      await lock.release();
      return await loadToRead(input, unwritable(result.detail));
    }
    loaded = result.value;
    if (newerFault(loaded, latestVersion(steps)) === null)
      return succeed(await openToWrite({ ...input, options, loaded, lock }));
    await closeLoaded(loaded);
    await lock.release();
    return await loadToRead(input, null);
  } catch (error) {
    // The disk refuses a write that must come first; the existing content can still be read.
    const refused = unwritable(compose`${folder}: ${errorCode(error)}`);
    if (loaded !== undefined) await closeLoaded(loaded);
    await lock.release();
    return loadToRead(input, refused);
  }
}

type LoadInput = Omit<Parameters<typeof loadLedger>[0], "mayWrite">;

async function loadToRead(
  input: LoadInput,
  readOnly: Failure<ReadOnlyReason> | null,
): Promise<Result<Ledger, OpenReason>> {
  const read = () => loadLedger({ ...input, mayWrite: false });
  let loaded = await read();
  for (let more = attempts; more > 1 && loaded.ok && loaded.value.journal.lost > 0; more -= 1) {
    await closeLoaded(loaded.value);
    loaded = await read();
  }
  if (!loaded.ok) return loaded;
  const { db, writer, working } = loaded.value;
  const newer = newerFault(loaded.value, latestVersion(input.steps));
  if (newer !== null && !isReadable(loaded.value)) {
    await closeLoaded(loaded.value);
    return newer;
  }
  const setAside = loaded.value.faults.map((fault) => ({ ...fault, now: null }));
  const report = reportOpening(loaded.value, latestVersion(input.steps), setAside);
  return succeed(new Ledger({ db, writer, working, report, readOnly: newer ?? readOnly, writing: null }));
}

interface WriteInput extends LoadInput {
  readonly options: OpenOptions;
  readonly loaded: LoadedLedger;
  readonly lock: HeldLock;
}

/** First stores everything to be replaced under another name. */
async function openToWrite({
  options,
  loaded,
  store,
  steps,
  journalFolder,
  lock,
}: WriteInput): Promise<Ledger> {
  const { db, writer, working, journal, found, faults } = loaded;
  const setAside: SetAside[] = [];
  for (const fault of faults) setAside.push({ ...fault, now: await store.setAside(fault) });
  if (found !== null && found.version < latestVersion(steps))
    await store.keepVersion(found.content, found.version);
  const report = reportOpening(loaded, latestVersion(steps), setAside);
  const writing = new LedgerWriting({
    ports: options,
    db,
    writer,
    working,
    store,
    lock,
    journalFolder,
    last: journal.last,
    snapshot: await store.about(),
    journalBytes: await journalSize(journalFolder, options.files),
    damaged: new Set(journal.faulty.map((each) => each.path)),
    snapshotAfter: options.snapshotAfter ?? defaultSnapshotAfter,
    checkpointAfter: options.checkpointAfter ?? defaultCheckpointAfter,
  });
  const ledger = new Ledger({ db, writer, working, report, readOnly: null, writing });
  // If this fails, the disk is full; the next start finds the same state and repeats it.
  if (report.reread) {
    const recount = mustReread(loaded) ? [{ kind: "count-anew" } as const] : [];
    await ledger.append([...recount, { kind: "forget-positions" }]);
  }
  const isChanged = report.reread || report.migratedFrom !== null || setAside.length > 0;
  const rest = unredacted(db);
  if (rest !== null) await redactFiles(ledger, db, { rest, options });
  else if (isChanged) await ledger.snapshot();
  return ledger;
}

/**
 * Removes secrets of an earlier version from all files. The mark is removed last: a killed process leaves it, and the
 * next start repeats everything.
 */
async function redactFiles(
  ledger: Ledger,
  db: Database,
  { rest, options }: { readonly rest: Unredacted; readonly options: OpenOptions },
): Promise<void> {
  // A working file does not depend on the sums of snapshots, which a killed process may leave without their own.
  await ledger.checkpoint();
  const areCopiesRedacted = await redactCopies(options.folder, options);
  // A snapshot would copy the working file, including free pages with the old text.
  const isCompacted = rest === "copies" || (await ledger.compact()).ok;
  if (!isCompacted) return;
  setUnredacted(db, areCopiesRedacted ? null : "copies");
  await ledger.checkpoint();
}

function newerFault({ found, journal }: LoadedLedger, known: number): Failure<"newer_version"> | null {
  const version = found?.version ?? 0;
  if (version <= known && !journal.isNewer) return null;
  return fail(
    "newer_version",
    sentence(
      "the ledger was written by a newer purser (schema {0}, this one knows {1}); update purser to write to it",
      version,
      known,
    ),
  );
}

/** Whether this version's questions fit a later version's tables. */
function isReadable({ db }: LoadedLedger): boolean {
  try {
    selectSessions(db, { limit: 0 }, { projectOf: projectFolder });
    selectPositions(db);
    return true;
  } catch {
    // SQLite found no such column or table; its message does not help.
    return false;
  }
}
