import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/** What git writes into these files is one short line. Bytes. */
const largestFile = 16 * 1024;

/**
 * The branch that is checked out where a folder is; null outside of a repository, and on none. Reads two small files at most, so that
 * a hook can ask.
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

/** What is closed to us is not there. */
function kindOf(place: string): "folder" | "file" | "none" {
  try {
    return statSync(place).isDirectory() ? "folder" : "file";
  } catch {
    return "none";
  }
}

/** Of a linked worktree, and of a submodule. */
function linkedFolder(place: string, pointer: string): string | null {
  const told = /^gitdir: (?<folder>.+)$/mu.exec(shortText(pointer))?.groups?.["folder"];
  return told === undefined ? null : path.resolve(place, told.trim());
}

function branchIn(head: string): string | null {
  return /^ref: refs\/heads\/(?<branch>\S+)/u.exec(shortText(head))?.groups?.["branch"] ?? null;
}

/** Empty for what is not there, or is closed to us. */
function shortText(file: string): string {
  try {
    return statSync(file).size > largestFile ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
