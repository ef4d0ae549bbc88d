import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import { listNames } from "../../walk-files.ts";

/** The inodes of the files that some process has locked; null where the system does not list them. */
export type LockedInodes = () => ReadonlySet<string> | null;

/** From Linux. Locks of processes that this one cannot see, such as those outside its container, are not listed. */
export const systemLockedInodes: LockedInodes = () => {
  if (process.platform !== "linux") return null;
  try {
    return inodesIn(readFileSync("/proc/locks", "utf8"));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
};

/** @param locks the text of `/proc/locks`: `3: FLOCK  ADVISORY  WRITE 9139 fe:00:4392057 0 EOF`; `->` marks one that waits */
export function inodesIn(locks: string): Set<string> {
  const holders = locks.matchAll(/^\d+: (?!->).*? [0-9a-f]+:[0-9a-f]+:(?<inode>\d+) /gmu);
  return new Set(Array.from(holders, ({ groups }) => groups?.["inode"] ?? ""));
}

/**
 * Returns the threads that a process has open. Codex locks `<thread id>.lock` during that time, and removes the file
 * when it ends; a killed process leaves its file, unlocked. Returns none for versions without this folder, and on
 * systems that do not list locks: there a file alone proves nothing, and trying its lock could keep Codex from taking
 * it.
 */
export function openThreads(folder: string, lockedInodes: LockedInodes): string[] {
  const files = listNames(folder, []);
  const locked = files.length === 0 ? null : lockedInodes();
  if (locked === null) return [];
  return files.flatMap((name) => {
    const thread = lockedThread(name);
    return thread !== null && locked.has(inodeOf(path.join(folder, name))) ? [thread] : [];
  });
}

/** The thread that a lock's file is for; null for any other file. */
export function lockedThread(name: string): string | null {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.lock$/iu.exec(name)?.[1] ?? null;
}

/** Empty for a file that has been removed. */
function inodeOf(file: string): string {
  try {
    return String(statSync(file, { bigint: true }).ino);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return "";
  }
}
