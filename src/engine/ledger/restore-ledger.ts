import path from "node:path";
import { errorCode } from "../base/error-code.ts";
import { takeLock } from "../base/lock-file.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { journalFolderName, lockName, type LedgerPorts } from "./ledger-ports.ts";
import { schemaVersion } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { openSnapshot, SnapshotStore } from "./snapshot-store.ts";

export type RestoreReason = "locked" | "unreadable" | "not_a_ledger" | "newer_version" | "write_failed";

export interface RestoreReport {
  /** The folder the ledger that was there is now in. */
  readonly replaced: string;
  /** The number of the last entry of what is there now. */
  readonly applied: number;
}

/**
 * Puts a backup in the place of the ledger in `folder`, which nobody may have open. What was there is moved into a folder of
 * its own beside it, not removed.
 */
export async function restoreLedger(
  { folder, backup }: { folder: string; backup: string },
  ports: LedgerPorts,
): Promise<Result<RestoreReport, RestoreReason>> {
  const read = await readBackup(backup, ports);
  if (!read.ok) return read;
  try {
    await ports.files.makeFolder(folder);
    const lock = await takeLock(path.join(folder, lockName), ports);
    if (!lock.ok) return lock;
    try {
      return succeed({ replaced: await replace(folder, read.value, ports), applied: read.value.applied });
    } finally {
      await lock.value.release();
    }
  } catch (error) {
    return fail("write_failed", `${folder}: ${errorCode(error)}`);
  }
}

interface Backup {
  readonly bytes: Uint8Array;
  readonly applied: number;
}

async function readBackup(
  file: string,
  { files, engine }: LedgerPorts,
): Promise<Result<Backup, RestoreReason>> {
  let bytes: Buffer;
  try {
    bytes = await files.read(file);
  } catch (error) {
    return fail("unreadable", `${file}: ${errorCode(error)}`);
  }
  const opened = openSnapshot(engine, bytes, { isTrusted: false });
  if (opened === undefined) return fail("not_a_ledger", `${file} is no ledger, or is damaged`);
  const version = schemaVersion(opened.db);
  opened.db.close();
  if (version > migrations.length)
    return fail("newer_version", `${file} is of schema ${version}, this purser knows ${migrations.length}`);
  return succeed({ bytes, applied: opened.applied });
}

/** The snapshot first, the journal last: whatever happens in between, nothing that was there is gone. */
async function replace(folder: string, { bytes, applied }: Backup, ports: LedgerPorts): Promise<string> {
  const { files, unique } = ports;
  const replaced = path.join(folder, `replaced-${unique()}`);
  await files.makeFolder(replaced);
  const store = new SnapshotStore(folder, ports);
  for (const file of [store.current, store.previous]) await linkIfThere(file, replaced, ports);
  await store.save(bytes, applied);
  await files.remove(store.previous);
  const journal = path.join(folder, journalFolderName);
  try {
    await files.rename(journal, path.join(replaced, journalFolderName));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  await files.flushFolder(folder);
  return replaced;
}

async function linkIfThere(file: string, folder: string, { files }: LedgerPorts): Promise<void> {
  try {
    await files.link(file, path.join(folder, path.basename(file)));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
