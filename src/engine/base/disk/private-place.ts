import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { errorCode } from "../error-code.ts";
import { fail, succeed, type Result } from "../result.ts";
import { isOpen, isOwn } from "./private-file.ts";

/** Places that only their owner may look into. On Windows a user's folder is so by itself, and modes say nothing. */

/**
 * Makes a folder, and those above it, that is the user's alone. One that is there already and the user's own is closed to
 * others; one of somebody else, or that does not let itself be closed, is not used.
 */
export function ensurePrivateFolder(folder: string): Result<void, "unsafe_place" | "unwritable"> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = statSync(folder);
    if (!stats.isDirectory()) return fail("unsafe_place", `${folder} is not a folder`);
    if (!isOwn(stats)) return fail("unsafe_place", `${folder} belongs to another user`);
    if (isOpen(stats)) chmodSync(folder, 0o700);
    if (isOpen(statSync(folder))) return fail("unsafe_place", `${folder} cannot be closed to other users`);
    return succeed(undefined);
  } catch (error) {
    return fail("unwritable", `${folder}: ${errorCode(error)}`);
  }
}

/** Replaces a file as a whole, for its owner only: a reader finds the old text or the new. @throws the system's error */
export function writePrivateFile(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
