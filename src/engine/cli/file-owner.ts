import { statSync } from "node:fs";
import process from "node:process";
import { errorCode } from "../base/result.ts";

/**
 * Whether a file or folder belongs to the current user. True on systems without owners, and for a missing file.
 *
 * @param user the current user's id; undefined if the system has none
 */
export function isOwn(file: string, user: number | undefined = process.getuid?.()): boolean {
  if (user === undefined) return true;
  try {
    return statSync(file).uid === user;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}
