import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";

/** What every file of some folders was: cheap to take, since no file is read. By path. */
export type FileStamps = ReadonlyMap<string, string>;

/**
 * Size, time of change and inode of every file below a folder. A link counts as itself; what is behind it is not looked at. A folder that
 * is not there has no files.
 *
 * @param isLeftOut whether what is at a path below the folder, with `/`, does not count
 */
export async function stampFiles(
  folder: string,
  isLeftOut: (relative: string) => boolean = () => false,
): Promise<FileStamps> {
  const stamps = new Map<string, string>();
  await look(folder, "", isLeftOut, stamps);
  return stamps;
}

async function look(
  folder: string,
  relative: string,
  isLeftOut: (relative: string) => boolean,
  stamps: Map<string, string>,
): Promise<void> {
  const entries = await list(path.join(folder, relative));
  await Promise.all(
    entries.map(async (entry) => {
      const place = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (isLeftOut(place)) return;
      if (entry.isDirectory()) await look(folder, place, isLeftOut, stamps);
      else stamps.set(place, await stampOf(path.join(folder, place)));
    }),
  );
}

async function list(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function stampOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(file);
    return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "gone";
    throw error;
  }
}

/** The paths that are other than they were, came or went, in order. */
export function changedFiles(before: FileStamps, after: FileStamps): string[] {
  const changed = [...before].filter(([place, stamp]) => after.get(place) !== stamp).map(([place]) => place);
  const added = [...after.keys()].filter((place) => !before.has(place));
  return [...changed, ...added].sort();
}
