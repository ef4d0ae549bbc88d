import { statSync, type BigIntStats } from "node:fs";
import path from "node:path";
import { rethrowUnlessSystemError } from "../error-code.ts";

/**
 * Whether two paths lead to the same file or folder: through links, several mounts, or different case on systems that ignore it.
 * Missing files are the same if their folders and names are.
 *
 * @param isCaseless whether names of missing files that differ only in case are the same
 */
export function isSamePath(
  one: string,
  other: string,
  isCaseless = process.platform === "win32" || process.platform === "darwin",
): boolean {
  if (one === other) return true;
  const [first, second] = [statOf(one), statOf(other)];
  if (first !== null && second !== null) return first.dev === second.dev && first.ino === second.ino;
  if (first !== null || second !== null) return false;
  const [parent, otherParent] = [path.dirname(one), path.dirname(other)];
  if (parent === one || otherParent === other) return false;
  const name = (file: string) => (isCaseless ? path.basename(file).toLowerCase() : path.basename(file));
  return name(one) === name(other) && isSamePath(parent, otherParent, isCaseless);
}

/** Returns null if the file is missing or inaccessible. */
function statOf(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true });
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}
