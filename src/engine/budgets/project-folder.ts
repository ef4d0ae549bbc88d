import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";
import { mainWorktree } from "../context/place.ts";

/**
 * The project that a folder is of: the repository's main working tree, also from a linked worktree, since agents that work on one
 * thing in several worktrees spend the same tokens. Outside of a repository the nearest folder with budgets, else the folder itself.
 * However a folder is reached, by links or in another case where that is one, its project is the same.
 *
 * @param folder an absolute path
 */
export function projectFolder(folder: string): string {
  const place = realPlace(folder);
  const main = mainWorktree(place, path);
  if (main !== undefined) return realPlace(main);
  const above = foldersFrom(place);
  const marks = [".git", path.join(".purser", "budgets")];
  for (const mark of marks) {
    const found = above.find((each) => existsSync(path.join(each, mark)));
    if (found !== undefined) return found;
  }
  return place;
}

/** Where a path leads, in the case that the system knows it by; what is gone is where the folder is that it was in. */
function realPlace(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    errorCode(error);
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realPlace(parent), path.basename(folder));
  }
}

/** The folder and all that it is in. */
function foldersFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}
