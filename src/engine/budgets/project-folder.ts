import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";
import { mainWorktree } from "../context/folder-membership.ts";

/**
 * Returns the project of a folder: the repository's main working tree, even for a linked worktree, since agents that work on one
 * thing in several worktrees spend the same tokens. Outside of a repository, the nearest folder with budgets, else the folder
 * itself. Links and differences in case, on systems that ignore it, lead to the same project.
 *
 * @param folder an absolute path
 */
export function projectFolder(folder: string): string {
  const real = realPathOf(folder);
  const main = mainWorktree(real, path);
  if (main !== undefined) return realPathOf(main);
  const above = foldersFrom(real);
  const marks = [".git", path.join(".purser", "budgets")];
  for (const mark of marks) {
    const found = above.find((each) => existsSync(path.join(each, mark)));
    if (found !== undefined) return found;
  }
  return real;
}

/** Resolves links and the system's own case of a path; for a missing path, those of its parent. */
export function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    errorCode(error);
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realPathOf(parent), path.basename(folder));
  }
}

/** Returns the folder and all of its ancestors. */
function foldersFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}
