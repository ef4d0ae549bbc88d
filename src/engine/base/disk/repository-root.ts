import { existsSync } from "node:fs";
import path from "node:path";

/** Folders above the one that is asked about, beyond which no project is looked for. */
const maxParents = 40;

/** Returns the root of the repository that a folder is in; the folder itself where it is in none, or where that is a home. */
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
