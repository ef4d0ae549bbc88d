import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { errorCode } from "../base/error-code.ts";
import { fail, succeed, type Result } from "../base/result.ts";

/** Places that only their owner may look into. On Windows a user's folder is so by itself, and modes say nothing. */

const forOthers = 0o077;

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

/** What we keep there is much smaller. Bytes. */
const largest = 64 * 1024;

/** The text of a file that nobody else could have written or read. Null when there is none. */
export function readPrivateFile(file: string): Result<string | null, "unsafe_place"> {
  let handle: number;
  try {
    // Opening a FIFO would wait for its writer.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? succeed(null) : fail("unsafe_place", `${file}: ${code}`);
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > largest)
      return fail("unsafe_place", `${file} is not what purser writes`);
    if (!isOwn(stats)) return fail("unsafe_place", `${file} belongs to another user`);
    if (isOpen(stats)) return fail("unsafe_place", `${file} is open to other users; remove it`);
    return succeed(readFileSync(handle, "utf8"));
  } finally {
    closeSync(handle);
  }
}

function isOwn({ uid }: Stats): boolean {
  const user = process.geteuid?.();
  return user === undefined || uid === user;
}

function isOpen({ mode }: Stats): boolean {
  return process.platform !== "win32" && (mode & forOthers) !== 0;
}
