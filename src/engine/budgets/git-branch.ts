import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Git writes one short line into these files. Bytes. */
const maxFileSize = 16 * 1024;

/**
 * Returns the branch checked out in a folder's repository; null outside of a repository, and for a detached HEAD. Reads at most two
 * small files, so hooks can afford it.
 *
 * @param folder an absolute path
 */
export function gitBranch(folder: string): string | null {
  return headAbove(folder)?.branch ?? null;
}

export interface GitHead {
  readonly branch: string | null;
  /** Null where a branch is checked out. */
  readonly commit: string | null;
}

/** Returns the checkout of a folder. Null without such a folder, or a readable repository. */
export function gitHead(folder: string): GitHead | null {
  return kindOf(folder) === "folder" ? headAbove(folder) : null;
}

function headAbove(folder: string): GitHead | null {
  const git = gitFolder(folder);
  const head = git === null ? "" : oneLine(shortText(path.join(git, "HEAD")));
  const branch = /^ref: refs\/heads\/(?<branch>.+)$/u.exec(head)?.groups?.["branch"] ?? null;
  // Repositories that keep branches in tables have no branch of this name.
  if (branch !== null) return branch === ".invalid" ? null : { branch, commit: null };
  const commit = hashIn(head);
  return commit === null ? null : { branch, commit };
}

/** Git ends the line. A name may end with white space that git allows. */
function oneLine(text: string): string {
  return text.replace(/\r?\n$/u, "");
}

/** Names of commits that are packed, of large repositories too. Bytes. */
const maxPackedSize = 4 * 1024 * 1024;

/**
 * Returns the commit that a folder's repository has checked out, or the last one of a branch. Null outside of
 * a repository, before its first commit, and for a missing branch.
 */
export function gitCommit(folder: string, branch: string | null = null): string | null {
  const git = gitFolder(folder);
  if (git === null) return null;
  const head = branch === null ? oneLine(shortText(path.join(git, "HEAD"))) : `ref: refs/heads/${branch}`;
  // Git has no branch of such a name, which may lead to another file.
  if (branch !== null && /\.\.|[\u0000-\u0020\u007f\\:]/u.test(branch)) return null;
  const ref = /^ref: (?<ref>refs\/.+)$/u.exec(head)?.groups?.["ref"];
  if (ref === undefined) return hashIn(head);
  // A linked worktree has its branches in the folder that all share.
  const common = path.resolve(git, shortText(path.join(git, "commondir")).trim() || ".");
  const loose = hashIn(shortText(path.join(common, ...ref.split("/"))));
  if (loose !== null) return loose;
  const packed = shortText(path.join(common, "packed-refs"), maxPackedSize);
  return hashIn(packed.split("\n").find((line) => line.endsWith(` ${ref}`)) ?? "");
}

function hashIn(text: string): string | null {
  return /^[\da-f]{40}(?:[\da-f]{24})?\b/u.exec(text)?.[0] ?? null;
}

/** Returns the folder with a repository's own files; null outside of one. */
function gitFolder(folder: string): string | null {
  for (let current = folder; ; current = path.dirname(current)) {
    const pointer = path.join(current, ".git");
    const kind = kindOf(pointer);
    if (kind !== "none") {
      return kind === "folder" ? pointer : linkedFolder(current, pointer);
    }
    if (path.dirname(current) === current) return null;
  }
}

function kindOf(fullPath: string): "folder" | "file" | "none" {
  try {
    return statSync(fullPath).isDirectory() ? "folder" : "file";
  } catch {
    return "none";
  }
}

/** Returns the git folder that the `.git` file of a linked worktree or submodule points to. */
function linkedFolder(folder: string, pointer: string): string | null {
  const target = /^gitdir: (?<folder>.+)$/mu.exec(shortText(pointer))?.groups?.["folder"];
  return target === undefined ? null : path.resolve(folder, target.trim());
}

/** Returns a short file's text; empty if it is missing or inaccessible. */
function shortText(file: string, maxSize = maxFileSize): string {
  try {
    return statSync(file).size > maxSize ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
