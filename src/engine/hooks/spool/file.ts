import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * What hooks told while nobody could take it lies in the spool until a service does: files of a line of JSON each event.
 *
 * Every writer makes a file of its own, under a name that no reader looks at, and then renames it. So a reader never finds half an
 * event, however long it is, whatever the file system, and whoever was killed; two writers never write to one file; and a file that
 * is removed after it was read takes nothing with it that came later. Appending to one shared file would promise none of that.
 */
const suffix = ".ndjson";
const unfinished = ".tmp";

/** More are not kept: what nobody fetches must not fill the disk. */
const mostFiles = 5000;

/** @param name such as nobody else uses; ordered by it */
export function writeSpoolFile(folder: string, name: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length >= mostFiles) throw new Error(`${folder} is full`);
  const temporary = path.join(folder, `.${name}${unfinished}`);
  try {
    writeFileSync(temporary, lines.map((line) => `${line}\n`).join(""), { mode: 0o600, flag: "wx" });
    renameSync(temporary, path.join(folder, `${name}${suffix}`));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export function isSpoolFile(name: string): boolean {
  return name.endsWith(suffix) && !name.startsWith(".");
}

/** What a writer that was killed has left, or one is just writing. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(".") && name.endsWith(unfinished);
}
