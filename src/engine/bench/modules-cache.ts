import { chmod, lstat, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";

export const draftPrefix = ".draft-";

const day = 24 * 60 * 60 * 1000; // ms
/** Of a process that was killed while it installed. */
const staleDraft = day;
/** Not used for so long, by a suite that has other dependencies now or is gone. */
const staleModules = 60 * day;

/** Takes the right to write from everything in a folder. On Windows the right is not in files' modes: nothing changes there. */
export async function makeReadOnly(folder: string): Promise<void> {
  await eachBelow(folder, async (place, mode) => chmod(place, mode & 0o555));
}

/** Removes a folder that may be read-only. */
export async function removeReadOnly(folder: string): Promise<void> {
  await eachBelow(folder, async (place, mode, isFolder) => {
    if (isFolder) await chmod(place, mode | 0o700);
  });
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function eachBelow(
  folder: string,
  change: (place: string, mode: number, isFolder: boolean) => Promise<void>,
): Promise<void> {
  if (process.platform === "win32") return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = [folder, ...entries.map((entry) => path.join(entry.parentPath, entry.name))];
  for (const place of places) {
    const found = await lstat(place);
    if (!found.isSymbolicLink()) await change(place, found.mode & 0o777, found.isDirectory());
  }
}

/** Removes from the cache what nobody needs any more. @param now milliseconds since the epoch */
export async function removeOldModules(cache: string, now: number): Promise<void> {
  for (const name of await readdir(cache)) {
    const place = path.join(cache, name);
    const limit = name.startsWith(draftPrefix) ? staleDraft : staleModules;
    try {
      if (now - (await stat(place)).mtimeMs > limit) await removeReadOnly(place);
    } catch (error) {
      // Another process removes it at the same time.
      if (!["ENOENT", "ENOTEMPTY"].includes(errorCode(error))) throw error;
    }
  }
}
