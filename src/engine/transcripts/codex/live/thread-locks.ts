import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../../base/error-code.ts";

/** The inodes of the files that some process has locked; null where the system does not tell. */
export type LockedInodes = () => ReadonlySet<string> | null;

/** From Linux. Locks of processes that this one cannot see, as those outside of its container, are not listed. */
export const systemLockedInodes: LockedInodes = () => {
  if (process.platform !== "linux") return null;
  try {
    return inodesIn(readFileSync("/proc/locks", "utf8"));
  } catch (error) {
    errorCode(error);
    return null;
  }
};

/** @param locks the text of `/proc/locks`: `3: FLOCK  ADVISORY  WRITE 9139 fe:00:4392057 0 EOF`; `->` marks one that waits */
export function inodesIn(locks: string): Set<string> {
  const holders = locks.matchAll(/^\d+: (?!->).*? [0-9a-f]+:[0-9a-f]+:(?<inode>\d+) /gmu);
  return new Set(Array.from(holders, ({ groups }) => groups?.["inode"] ?? ""));
}

/**
 * Returns the threads that a process has open. Codex locks `<thread id>.lock` for as long, and removes the file when it
 * ends; the file of a killed process stays, unlocked. Versions without this folder have none, nor have systems that do not
 * tell: there a file alone says nothing, and opening it to try its lock could keep Codex from taking it.
 */
export function openThreads(folder: string, lockedInodes: LockedInodes): string[] {
  const files = list(folder);
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

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    errorCode(error);
    return [];
  }
}

/** Empty for a file that is gone by now. */
function inodeOf(file: string): string {
  try {
    return String(statSync(file, { bigint: true }).ino);
  } catch (error) {
    errorCode(error);
    return "";
  }
}
