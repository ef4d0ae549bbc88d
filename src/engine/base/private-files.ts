import path from "node:path";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  chmodSync,
  fsyncSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { type Result, succeed, fail, errorCode } from "./result.ts";
import { sentence, compose } from "./language.ts";
import { randomUUID } from "node:crypto";
import { makeFolder } from "./disk/make-folder.ts";

const forOthers = 0o077;
const writableByOthers = 0o022;
const sticky = 0o1000;

/** Maximum size unless set otherwise. Most of purser's private files are much smaller. Bytes. */
const usualLargest = 64 * 1024;

interface PrivateText {
  readonly text: string;
  /**
   * Modification time of the file that was read, even if it has been replaced since. Milliseconds since the epoch.
   */
  readonly changedAt: number;
}

/**
 * Reads the text of a file that no other user could have written or read. Null if there is none.
 * @param largest bytes
 */
export function readPrivateFile(file: string, largest = usualLargest): Result<string | null, "unsafe_place"> {
  const read = readPrivateText(file, largest);
  return read.ok ? succeed(read.value?.text ?? null) : read;
}

/** Reads the text of such a file with its modification time. */
export function readPrivateText(
  file: string,
  largest = usualLargest,
): Result<PrivateText | null, "unsafe_place"> {
  let handle: number;
  try {
    // Opening a FIFO would wait for its writer.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR"
      ? succeed(null)
      : fail("unsafe_place", compose`${file}: ${code}`);
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > largest)
      return fail("unsafe_place", sentence("{0} is not what purser writes", file));
    if (!isOwn(stats)) return fail("unsafe_place", sentence("{0} belongs to another user", file));
    if (isOpen(stats)) return fail("unsafe_place", sentence("{0} is open to other users; remove it", file));
    return succeed({ text: readFileSync(handle, "utf8"), changedAt: stats.mtimeMs });
  } finally {
    closeSync(handle);
  }
}

export function isOwn({ uid }: Stats): boolean {
  const user = process.geteuid?.();
  return user === undefined || uid === user;
}

export function isOpen({ mode }: Stats): boolean {
  return process.platform !== "win32" && (mode & forOthers) !== 0;
}

/**
 * Files and folders that only their owner can access. On Windows a user's folder is private by default, and modes have no
 * meaning.
 */

/**
 * Creates a folder and its parents, accessible only to the user. Closes an existing folder of the user to
 * others. Refuses one of another user, or one that cannot be closed.
 */
export function ensurePrivateFolder(folder: string): Result<void, "unsafe_place" | "unwritable"> {
  try {
    makeFolder(folder, 0o700);
    const stats = statSync(folder);
    if (!stats.isDirectory()) return fail("unsafe_place", sentence("{0} is not a folder", folder));
    if (!isOwn(stats)) return fail("unsafe_place", sentence("{0} belongs to another user", folder));
    if (isOpen(stats)) chmodSync(folder, 0o700);
    if (isOpen(statSync(folder)))
      return fail("unsafe_place", sentence("{0} cannot be closed to other users", folder));
    return succeed(undefined);
  } catch (error) {
    return fail("unwritable", compose`${folder}: ${errorCode(error)}`);
  }
}

/**
 * Returns the folders on the way to a folder, itself included, in which another user could replace the next one: they are another user's, or
 * others may write to them and they have no sticky bit.
 */
export function foldersOpenToOthers(folder: string): string[] {
  const open: string[] = [];
  for (let each = realpathSync(folder); ; each = path.dirname(each)) {
    const { uid, mode } = statSync(each);
    const isTrusted = uid === 0 || uid === process.geteuid?.();
    if (!isTrusted || ((mode & writableByOthers) !== 0 && (mode & sticky) === 0)) open.push(each);
    if (each === path.dirname(each)) return open;
  }
}

/**
 * Replaces a file as a whole, readable by its owner only. A reader finds either the old text or the new.
 * @param isStill called last: whether the file still has the content on which the text is based; if not,
 * nothing is written
 * @returns whether it was written
 * @throws the system's error
 */
export function writePrivateFile(file: string, text: string, isStill: () => boolean = () => true): boolean {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (isStill()) {
      renameSync(temporary, file);
      return true;
    }
    rmSync(temporary, { force: true });
    return false;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Replaces a file that the user may have made a link, as `writePrivateFile` does: a link stays one, and the text goes where it leads.
 * @throws the system's error
 */
export function writeBehindLink(file: string, text: string, isStill?: () => boolean): boolean {
  return writePrivateFile(realPlace(file), text, isStill);
}

function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return file;
    throw error;
  }
}
