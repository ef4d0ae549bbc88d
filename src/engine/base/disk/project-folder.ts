import path from "node:path";
import { existsSync, realpathSync } from "node:fs";
import { rethrowUnlessSystemError, fail, succeed, type Result } from "../result.ts";
import { mainWorktree } from "./home.ts";
import { sentence } from "../language.ts";

/**
 * Returns the project of a folder, the same wherever a project is shown, summed or limited: the repository's main working tree, even for a
 * linked worktree, since agents that work on one thing in several worktrees spend the same tokens. Outside of a repository, the nearest
 * folder with budgets, else the folder itself. Links and differences in case, on systems that ignore it, lead to the same project. A
 * folder that is gone belongs to the project that its place is in. A path of another system is its own project.
 */
export function projectFolder(folder: string): string {
  if (!path.isAbsolute(folder)) return folder;
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
  const missing: string[] = [];
  for (let existing = folder; ; existing = path.dirname(existing)) {
    try {
      return path.join(realpathSync.native(existing), ...missing);
    } catch (error) {
      rethrowUnlessSystemError(error);
      if (path.dirname(existing) === existing) return folder;
      missing.unshift(path.basename(existing));
    }
  }
}

function foldersFrom(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; path.dirname(at) !== at;) folders.push((at = path.dirname(at)));
  return folders;
}

/**
 * Tests whether a file or folder lies in its project once links are resolved. A repository can hold links in place of purser's and agents'
 * folders, and the person who cloned it did not choose their targets. Every writer below a project calls this before it creates anything.
 */
export function insideProject(place: string, project: string): Result<void, "outside_project"> {
  const [real, root] = [realPathOf(path.resolve(place)), realPathOf(path.resolve(project))];
  const below = path.relative(root, real);
  const isOutside = below === ".." || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  if (!isOutside) return succeed(undefined);
  return fail(
    "outside_project",
    sentence(
      "{0} leads to {1} by a link, which is outside of the project {2}; nothing is written there. Replace the link by a folder or a file of the project",
      place,
      real,
      root,
    ),
  );
}
