import { readFileSync, statSync } from "node:fs";
import type path from "node:path";

/**
 * Returns the main working tree of the linked worktree that contains `cwd`, or undefined when it is in none.
 * A linked worktree has a `.git` file with `gitdir: <main>/.git/worktrees/<name>`. A bare repository has no main
 * working tree: then it is the repository itself, or the folder with the `.git` file that names it.
 */
export function mainWorktree(cwd: string, paths: path.PlatformPath): string | undefined {
  for (let folder = cwd; ; folder = paths.dirname(folder)) {
    const pointer = paths.join(folder, ".git");
    const kind = kindOf(pointer);
    if (kind === "folder" || paths.dirname(folder) === folder) return undefined;
    if (kind === "file") {
      const gitdir = gitFolder(pointer, paths);
      return gitdir !== undefined && paths.basename(paths.dirname(gitdir)) === "worktrees"
        ? workingTreeOf(paths.resolve(gitdir, "..", ".."), paths)
        : undefined;
    }
  }
}

/** @param common the folder that all worktrees of a repository share */
function workingTreeOf(common: string, paths: path.PlatformPath): string {
  const parent = paths.dirname(common);
  if (paths.basename(common) === ".git") return parent;
  // A submodule's repository is in its parent's, and names its working tree.
  const config = ifPossible(() => readFileSync(paths.join(common, "config"), "utf8")) ?? "";
  const value = /^[ \t]*worktree[ \t]*=([^"\n]*|[ \t]*"[^"\n]*"\s*)$/mu.exec(config)?.[1] ?? "";
  const named = value.trim().replaceAll(/^"|"$/gu, "");
  if (named !== "") return paths.resolve(common, named);
  const pointer = paths.join(parent, ".git");
  return kindOf(pointer) === "file" && gitFolder(pointer, paths) === common ? parent : common;
}

/** A `.git` pointer file is one short line; larger files are not read as one. Bytes. */
const maxPointerSize = 16 * 1024;

function kindOf(fullPath: string): "file" | "folder" | undefined {
  const stats = ifPossible(() => statSync(fullPath));
  if (stats?.isDirectory() === true) return "folder";
  return stats?.isFile() === true && stats.size <= maxPointerSize ? "file" : undefined;
}

/** The absolute path in a `.git` file. */
function gitFolder(pointer: string, paths: path.PlatformPath): string | undefined {
  const text = ifPossible(() => readFileSync(pointer, "utf8"));
  const named = /^gitdir: (.+)$/mu.exec(text ?? "")?.[1]?.trim();
  return named === undefined ? undefined : paths.resolve(paths.dirname(pointer), named);
}

/** Returns undefined for a path that is missing, unreadable or invalid. */
function ifPossible<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
