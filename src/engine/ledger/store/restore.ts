import { sentence, compose } from "../../base/language.ts";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { readSmallText, writeAtomically } from "../../base/files.ts";
import { takeLock } from "../../base/lock.ts";
import { journalFolderName, lockIn, type LedgerPorts } from "../journal.ts";
import { schemaVersion } from "./migrate.ts";
import { latestVersion } from "./migrations.ts";
import { workingPaths } from "../pages/working-file.ts";
import {
  closeSnapshot,
  contentOf,
  openSnapshot,
  SnapshotStore,
  writeSnapshot,
  type LoadedSnapshot,
} from "./snapshots.ts";

export type RestoreReason = "locked" | "unreadable" | "not_a_ledger" | "newer_version" | "write_failed";

export interface RestoreReport {
  /** The folder that now holds the replaced ledger. */
  readonly replaced: string;
  /** The number of the restored ledger's last entry. */
  readonly applied: number;
}

/**
 * Replaces the ledger in `folder`, which no process may have open, with a backup. The replaced files are moved into a
 * new folder inside it, not removed.
 */
export async function restoreLedger(
  { folder, backup }: { folder: string; backup: string },
  ports: LedgerPorts,
): Promise<Result<RestoreReport, RestoreReason>> {
  const read = await readBackup(backup, ports);
  if (!read.ok) return read;
  try {
    await ports.files.makeFolder(folder);
    const lock = await takeLock(lockIn(folder), ports);
    if (!lock.ok) return lock;
    try {
      return succeed({ replaced: await replace(folder, read.value, ports), applied: read.value.applied });
    } finally {
      await lock.value.release();
    }
  } catch (error) {
    return fail("write_failed", compose`${folder}: ${errorCode(error)}`);
  } finally {
    await closeSnapshot(read.value);
  }
}

async function readBackup(path: string, ports: LedgerPorts): Promise<Result<LoadedSnapshot, RestoreReason>> {
  const opened = await openSnapshot(path, null, ports);
  if (opened === undefined) return fail("unreadable", compose`${path}: ENOENT`);
  if ("reason" in opened) {
    if (opened.reason !== "damaged") return fail("unreadable", compose`${path}: ${opened.reason}`);
    return fail("not_a_ledger", sentence("{0} is no ledger, or is damaged", path));
  }
  const version = schemaVersion(opened.db);
  if (version <= latestVersion()) return succeed(opened);
  await closeSnapshot(opened);
  return fail(
    "newer_version",
    sentence("{0} is of schema {1}, this purser knows {2}", path, version, latestVersion()),
  );
}

/** Replaces the snapshot first and the journal last: nothing is lost if it is interrupted in between. */
async function replace(
  folder: string,
  { file, applied }: LoadedSnapshot,
  ports: LedgerPorts,
): Promise<string> {
  const { files, unique } = ports;
  const replaced = path.join(folder, `replaced-${unique()}`);
  await files.makeFolder(replaced);
  const store = new SnapshotStore(folder, ports);
  const working = workingPaths(folder);
  const written = await writeSnapshot(store.current, contentOf(file), ports);
  for (const each of [store.current, store.previous]) await linkIfThere(each, replaced, ports);
  // Before the snapshot, as an existing working file takes precedence over it.
  for (const each of [working.file, working.log, working.sums]) await moveIfThere(each, replaced, ports);
  await store.adopt(written, applied);
  await moveIfThere(path.join(folder, journalFolderName), replaced, ports);
  await writeAtomically(path.join(folder, markName), Buffer.from(unique()), ports);
  await files.flushFolder(folder);
  return replaced;
}

/** A file that is written anew whenever the ledger is replaced by a backup, in which numbers are used again. */
const markName = "ledger.restored";

/** Empty for a ledger that was never restored. */
export function restoredMark(folder: string): string {
  return (readSmallText(path.join(folder, markName), 100) ?? "").replaceAll(/[^0-9a-z]/gu, "").slice(0, 20);
}

async function moveIfThere(file: string, folder: string, { files }: LedgerPorts): Promise<void> {
  try {
    await files.rename(file, path.join(folder, path.basename(file)));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

async function linkIfThere(file: string, folder: string, { files }: LedgerPorts): Promise<void> {
  try {
    await files.link(file, path.join(folder, path.basename(file)));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
