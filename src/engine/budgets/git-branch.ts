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
  for (let place = folder; ; place = path.dirname(place)) {
    const pointer = path.join(place, ".git");
    const kind = kindOf(pointer);
    if (kind !== "none") {
      const head = kind === "folder" ? pointer : linkedFolder(place, pointer);
      return head === null ? null : branchIn(path.join(head, "HEAD"));
    }
    if (path.dirname(place) === place) return null;
  }
}

/** Returns what is at a path; an inaccessible one counts as missing. */
function kindOf(place: string): "folder" | "file" | "none" {
  try {
    return statSync(place).isDirectory() ? "folder" : "file";
  } catch {
    return "none";
  }
}

/** Returns the git folder that the `.git` file of a linked worktree or submodule points to. */
function linkedFolder(place: string, pointer: string): string | null {
  const told = /^gitdir: (?<folder>.+)$/mu.exec(shortText(pointer))?.groups?.["folder"];
  return told === undefined ? null : path.resolve(place, told.trim());
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
