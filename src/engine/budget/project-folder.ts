import { existsSync } from "node:fs";
import path from "node:path";
import { mainWorktree } from "../context/place.ts";

/**
 * The project that a folder is of: the repository's main working tree, also from a linked worktree, since agents that work on one
 * thing in several worktrees spend the same tokens. Outside of a repository the nearest folder with budgets, else the folder itself.
 *
 * @param folder an absolute path
 */
export function projectFolder(folder: string): string {
  const main = mainWorktree(folder, path);
  if (main !== undefined) return main;
  const above = foldersFrom(folder);
  const marks = [".git", path.join(".purser", "budgets")];
  for (const mark of marks) {
    const found = above.find((each) => existsSync(path.join(each, mark)));
    if (found !== undefined) return found;
  }
  return folder;
}

/** The folder and all that it is in. */
function foldersFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}
