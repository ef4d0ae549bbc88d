import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { type Result, succeed, fail, errorCode } from "../result.ts";
import { sentence, compose } from "../language.ts";

const forOthers = 0o077;

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
