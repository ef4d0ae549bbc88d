import { sentence, compose } from "../../base/language.ts";
import path from "node:path";
import { moveInto, writeBeside } from "../../base/files.ts";
import { type Result, succeed, fail, errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import { removeRecord, writeRecord, type InstallRecord, type RecordPorts } from "./hooks-install-record.ts";
import type { HookChange } from "./plan-change.ts";
import { contentHash, readSettings, type SettingsDisk } from "./settings/disk.ts";

export interface Changed {
  /** Copy of the previous file; null when none was needed. */
  readonly backup: string | null;
}

export type ChangeReason = "changed" | "unwritable";

/**
 * Carries out a planned change. First backs up the file, unless purser made all of it or there was none; then
 * records what to restore; then replaces the file as a whole. A failure before that leaves the file
 * unchanged. A file that differs from the plan is also left unchanged.
 */
export async function makeChange(
  change: HookChange,
  ports: RecordPorts,
): Promise<Result<Changed, ChangeReason>> {
  const { settings, after } = change;
  try {
    if (!(await isAsShown(change, ports.disk))) return hasChanged(settings.file);
    if (!change.isNeeded) {
      if (change.act === "uninstall" && change.remembered !== null)
        await removeRecord(settings.target, ports);
      return succeed({ backup: null });
    }
    if (isReadOnly(change, ports.disk))
      return fail("unwritable", sentence("{0} is read-only, and was left as it is", settings.target));
    const backup = isCopied(change) ? await backUp(change, ports.disk) : null;
    const isWritten =
      after === null ? await removeShown(change, ports) : await writeShown(change, after, backup, ports);
    if (!isWritten) return hasChanged(settings.file);
    if (change.act === "uninstall") await tidy(change, ports);
    return succeed({ backup });
  } catch (error) {
    const code = errorCode(error);
    const isAsBefore = await isAsShown(change, ports.disk);
    return fail(
      "unwritable",
      isAsBefore
        ? sentence("{0}: {1}; it is as it was", settings.file, code)
        : compose`${settings.file}: ${code}`,
    );
  }
}

/** Replacing a file needs no permission of its own, but its owner marked it as read-only. */
function isReadOnly({ settings: { bytes, mode } }: HookChange, disk: SettingsDisk): boolean {
  return disk.hasModes && bytes !== null && (mode & 0o222) === 0;
}

function hasChanged(file: string): Result<never, "changed"> {
  return fail("changed", sentence("{0} was changed by somebody else meanwhile; look again", file));
}

async function isAsShown({ settings }: HookChange, disk: SettingsDisk): Promise<boolean> {
  const now = await readSettings(settings.file, disk);
  if (!now.ok) return false;
  return now.value.target === settings.target && contentHash(now.value.bytes) === contentHash(settings.bytes);
}

/** Content that purser made itself needs no copy: it can be made again. */
function isCopied({ settings: { bytes }, remembered }: HookChange): boolean {
  const hash = contentHash(bytes);
  return hash !== null && remembered?.after.includes(hash) !== true;
}

const maxBackups = 10_000;

/** Copies the file under the next free number. No agent reads a name that ends in a number as settings. */
async function backUp({ settings: { target, bytes } }: HookChange, disk: SettingsDisk): Promise<string> {
  for (let number = 1; ; number += 1) {
    const copy = `${target}.purser-backup-${number}`;
    try {
      const handle = await disk.create(copy);
      try {
        await handle.write(bytes ?? Buffer.alloc(0), 0);
        await handle.flush();
      } catch (error) {
        await disk.remove(copy);
        throw error;
      } finally {
        await handle.close();
      }
      return copy;
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || number === maxBackups) throw error;
    }
  }
}

/** Returns false when the file differs from what the plan showed. */
async function writeShown(
  change: HookChange,
  after: Buffer,
  backup: string | null,
  ports: RecordPorts,
): Promise<boolean> {
  const { disk, unique } = ports;
  const { target } = change.settings;
  const folders = await makeFolders(path.dirname(target), change.mode, disk);
  let isWritten = false;
  try {
    const temporary = await writeBeside(target, after, { files: disk, unique });
    try {
      await disk.setMode(temporary, change.mode);
      if (change.record !== null) await writeRecord(withTraces(change.record, folders, backup), ports);
      if (await isAsShown(change, disk)) {
        await moveInto(temporary, target, disk);
        isWritten = true;
      }
    } finally {
      if (!isWritten) await disk.remove(temporary);
    }
  } finally {
    if (!isWritten) await removeEmpty(folders, disk);
  }
  return isWritten;
}

function withTraces(record: InstallRecord, folders: readonly string[], backup: string | null): InstallRecord {
  return {
    ...record,
    folders: [...new Set([...record.folders, ...folders])],
    backups: backup === null ? record.backups : [...record.backups, backup],
  };
}

/** Creates the missing folders and returns them, outermost first. A project's folders are readable by others, like its files. */
async function makeFolders(folder: string, mode: number, disk: SettingsDisk): Promise<string[]> {
  const missing: string[] = [];
  for (
    let current = folder;
    !(await isThere(current, disk)) && current !== path.dirname(current);
    current = path.dirname(current)
  )
    missing.unshift(current);
  const isOpen = (mode & 0o077) !== 0;
  for (const each of missing) await disk.makeOneFolder(each, isOpen ? 0o755 : 0o700);
  return missing;
}

async function isThere(fullPath: string, disk: SettingsDisk): Promise<boolean> {
  try {
    await disk.inspect(fullPath);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function removeShown(change: HookChange, { disk }: RecordPorts): Promise<boolean> {
  if (!(await isAsShown(change, disk))) return false;
  await disk.remove(change.settings.target);
  return true;
}

/** Removes leftovers: the record, backups identical to the restored file, and folders that were created and are empty. */
async function tidy({ settings, after, remembered }: HookChange, ports: RecordPorts): Promise<void> {
  const { disk } = ports;
  for (const backup of remembered?.backups ?? []) {
    if (after !== null && (await readIfThere(backup, disk))?.equals(after) === true)
      await disk.remove(backup);
  }
  if (after === null) await removeEmpty(remembered?.folders ?? [], disk);
  await removeRecord(settings.target, ports);
}

async function readIfThere(file: string, disk: SettingsDisk): Promise<Buffer | null> {
  try {
    return await disk.read(file);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

export async function removeEmpty(folders: readonly string[], disk: SettingsDisk): Promise<void> {
  for (const folder of folders.toReversed())
    try {
      await disk.removeFolder(folder);
    } catch (error) {
      // Somebody put something into it, or has removed it already.
      rethrowUnlessSystemError(error);
    }
}
