import path from "node:path";
import { statSync, type BigIntStats, existsSync } from "node:fs";
import { rethrowUnlessSystemError } from "../result.ts";

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

/** Maximum number of parent folders searched for a project. */
const maxParents = 40;

/**
 * Returns the root of a folder's repository. Outside a repository, or if the root is a home, returns the
 * folder itself.
 */
export function repositoryRoot(
  folder: string,
  home: string,
  { exists = existsSync }: { readonly exists?: (file: string) => boolean } = {},
): string {
  let at = folder;
  for (let parents = 0; parents < maxParents && at !== home; parents += 1) {
    if (exists(path.join(at, ".git"))) return at;
    const parent = path.dirname(at);
    if (parent === at) break;
    at = parent;
  }
  return folder;
}
