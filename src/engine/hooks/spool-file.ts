import path from "node:path";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { makeFolder } from "../base/files.ts";

/**
 * The spool stores hooks that could not be delivered until a service takes them: files with one line of JSON per event.
 *
 * Every writer creates its own file under a name that readers ignore, and then renames it. So readers never find half an event,
 * however long it is, whatever the file system, and whichever process was killed; two writers never write to one file; and removing
 * a file after reading it never removes anything that came later. Appending to one shared file would guarantee none of that.
 */
const suffix = ".ndjson";
const unfinished = ".tmp";

/** Maximum files in the spool: without a service they must not fill the disk. */
const maxFiles = 5000;

/** @param name unique; files are read in the order of their names */
export function writeSpoolFile(folder: string, name: string, lines: readonly string[]): void {
  makeFolder(folder, 0o700);
  if (readdirSync(folder).length >= maxFiles) throw new Error(`${folder} is full`);
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

/** Whether a file is a partial write: in progress, or left by a killed writer. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(".") && name.endsWith(unfinished);
}
