import { rethrowUnlessSystemError } from "../base/result.ts";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Opens a file for reading; returns at once even for a FIFO, where a plain open would wait for a writer. */
export function openToRead(path: string): number {
  // Windows has no O_NONBLOCK, and no FIFO in its file system either.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK || 0));
}

/**
 * Reads the first bytes of a regular file, at most `maxBytes`; undefined for anything else. Throws the system's
 * errors.
 */
export function readOpening(path: string, maxBytes: number): Buffer | undefined {
  const handle = openToRead(path);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return undefined;
    const opening = Buffer.allocUnsafe(Math.min(stats.size, maxBytes));
    return opening.subarray(0, readSync(handle, opening, 0, opening.length, 0));
  } finally {
    closeSync(handle);
  }
}

/** The same as text; empty for a file that is missing or may not be read. */
export function readOpeningText(path: string, maxBytes: number): string {
  try {
    return readOpening(path, maxBytes)?.toString("utf8") ?? "";
  } catch (error) {
    rethrowUnlessSystemError(error);
    return "";
  }
}
