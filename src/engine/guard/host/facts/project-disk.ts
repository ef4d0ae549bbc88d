import { lstat, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../../base/result.ts";
import type { FactPorts } from "../../facts/facts-ports.ts";

/** Larger files are not read. Bytes. */
const largest = 4 * 1024 * 1024;
/** Beyond this number of names a tree is not listed. */
const mostNames = 20_000;
/** Folders without files of the project's own. */
const skipped = new Set([".git", "node_modules", ".hg", ".svn", ".venv", "venv", "__pycache__", "target"]);

/** Tells what is at a path. Only what certainly is not there is none. */
export async function lookAt(file: string): ReturnType<FactPorts["look"]> {
  try {
    const found = await stat(file);
    return found.isDirectory() ? "folder" : "file";
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? await noneAt(file) : "unknown";
  }
}

/** A link may lead to what is not there yet. */
async function noneAt(file: string): Promise<"none" | "unknown"> {
  try {
    await lstat(file);
    return "unknown";
  } catch (error) {
    errorCode(error);
    return "none";
  }
}

/** Returns a file's text; null for none, and for a large one. */
export async function textOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file);
    // Opening a FIFO would wait for its writer.
    return found.isFile() && found.size <= largest ? await readFile(file, "utf8") : null;
  } catch (error) {
    errorCode(error);
    return null;
  }
}

export async function namesIn(folder: string): Promise<readonly string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    errorCode(error);
    return null;
  }
}

/** Returns the files below a folder, relative with slashes; null where there are too many, or where one folder cannot be read. */
export async function filesBelow(folder: string): Promise<readonly string[] | null> {
  const files: string[] = [];
  let level = [""];
  let count = 0;
  while (level.length > 0) {
    const entries = await Promise.all(level.map((below) => entriesOf(folder, below)));
    const next: string[] = [];
    for (const each of entries) {
      if (each === null) return null;
      count += each.length;
      if (count > mostNames) return null;
      for (const { file, isFolder } of each) (isFolder ? next : files).push(file);
    }
    level = next;
  }
  return files;
}

async function entriesOf(
  folder: string,
  below: string,
): Promise<{ readonly file: string; readonly isFolder: boolean }[] | null> {
  try {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true });
    return entries
      .filter(({ name }) => !skipped.has(name))
      .map((entry) => ({
        file: below === "" ? entry.name : `${below}/${entry.name}`,
        isFolder: entry.isDirectory(),
      }));
  } catch (error) {
    errorCode(error);
    return null;
  }
}
