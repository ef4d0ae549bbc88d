import { statSync } from "node:fs";
import process from "node:process";
import { errorCode } from "../base/result.ts";

/** True on systems without owners, and for a missing file. */
export function isOwn(file: string, user: number | undefined = process.getuid?.()): boolean {
  if (user === undefined) return true;
  try {
    return statSync(file).uid === user;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}
