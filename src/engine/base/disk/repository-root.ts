import { existsSync } from "node:fs";
import path from "node:path";

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
