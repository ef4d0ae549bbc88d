import { sentence, compose } from "../language.ts";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { type Result, succeed, fail, errorCode } from "../result.ts";
import { makeFolder } from "./make-folder.ts";
import { isOpen, isOwn } from "./private-file.ts";

/**
 * Files and folders that only their owner can access. On Windows a user's folder is private by default, and modes have no
 * meaning.
 */

/**
 * Creates a folder and its parents, accessible only to the user. An existing folder of the user is closed to others; one
 * of another user, or one that cannot be closed, is refused.
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
