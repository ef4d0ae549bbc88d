import { statSync, type BigIntStats } from "node:fs";
import path from "node:path";
import { errorCode } from "../error-code.ts";

/**
 * Whether two paths lead to one place: through links, through several mounts, and in whatever case where the system knows none. What
 * is not there yet is in one place when its folders are.
 *
 * @param isCaseless whether names that differ in case alone are one where neither is there to be asked
 */
export function isSamePlace(
  one: string,
  other: string,
  isCaseless = process.platform === "win32" || process.platform === "darwin",
): boolean {
  if (one === other) return true;
  const [first, second] = [look(one), look(other)];
  if (first !== null && second !== null) return first.dev === second.dev && first.ino === second.ino;
  if (first !== null || second !== null) return false;
  const [parent, otherParent] = [path.dirname(one), path.dirname(other)];
  if (parent === one || otherParent === other) return false;
  const name = (file: string) => (isCaseless ? path.basename(file).toLowerCase() : path.basename(file));
  return name(one) === name(other) && isSamePlace(parent, otherParent, isCaseless);
}

/** Null for what is not there, or cannot be looked at. */
function look(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true });
  } catch (error) {
    errorCode(error);
    return null;
  }
}
