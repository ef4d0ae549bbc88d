import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Git writes one short line into these files. Bytes. */
const largestFile = 16 * 1024;

/**
 * Returns the branch checked out in a folder's repository; null outside of a repository, and for a detached HEAD. Reads at most two
 * small files, so hooks can afford it.
 *
 * @param folder an absolute path
 */
export function gitBranch(folder: string): string | null {
  for (let current = folder; ; current = path.dirname(current)) {
    const pointer = path.join(current, ".git");
    const kind = kindOf(pointer);
    if (kind !== "none") {
      const head = kind === "folder" ? pointer : linkedFolder(current, pointer);
      return head === null ? null : branchIn(path.join(head, "HEAD"));
    }
    if (path.dirname(current) === current) return null;
  }
}

/** Returns what is at a path; an inaccessible one counts as missing. */
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

function branchIn(head: string): string | null {
  return /^ref: refs\/heads\/(?<branch>\S+)/u.exec(shortText(head))?.groups?.["branch"] ?? null;
}

/** Returns a short file's text; empty if it is missing or inaccessible. */
function shortText(file: string): string {
  try {
    return statSync(file).size > largestFile ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
