import { statSync } from "node:fs";
import process from "node:process";
import { errorCode } from "../error-code.ts";

/**
 * Whether a file or folder is the user's who runs this. Where systems tell of no owners it is; what is not there is nobody's else.
 *
 * @param user who that is; undefined where the system does not tell
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
