import { plainSentence } from "../base/language.ts";
import { type FileProblem, errorCode, rethrowUnlessSystemError } from "../base/result.ts";
import { readdirSync, statSync, type Dirent } from "node:fs";
import path from "node:path";
import { readdir, stat } from "node:fs/promises";

/** A file that may be a session's, judging by its name and path alone. */
export interface FoundFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface FoundFiles<File extends FoundFile = FoundFile> {
  readonly files: File[];
  /** Folders and files that cannot be read. Missing ones are not listed. */
  readonly problems: FileProblem[];
}

export interface Walk {
  /** How many levels of folders below the first are searched. */
  readonly depth: number;
  /** Whether to include a file with this name, this many folders below the first. */
  readonly wanted: (name: string, depth: number) => boolean;
}

/** Finds files below a folder, following links, sorted by name. */
export function walkFiles(folder: string, walk: Walk): FoundFiles {
  const found: FoundFiles = { files: [], problems: [] };
  descend(folder, 0, walk, found);
  return found;
}

function descend(folder: string, depth: number, walk: Walk, found: FoundFiles): void {
  for (const entry of list(folder, found)) {
    const entryPath = path.join(folder, entry.name);
    if (!entry.isDirectory() && walk.wanted(entry.name, depth)) add(entryPath, found);
    else if ((entry.isDirectory() || entry.isSymbolicLink()) && depth < walk.depth)
      descend(entryPath, depth + 1, walk, found);
  }
}

function list(folder: string, found: FoundFiles): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    noteProblem(folder, error, found.problems);
    return [];
  }
}

function add(file: string, found: FoundFiles): void {
  try {
    const { size, mtimeMs } = statSync(file);
    found.files.push({ path: file, size, mtimeMs });
  } catch (error) {
    noteProblem(file, error, found.problems);
  }
}

/** Returns the names in a folder, sorted; none for a missing one. */
export function listNames(folder: string, problems: FileProblem[]): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    noteProblem(folder, error, problems);
    return [];
  }
}

/** Adds an error of the system to the problems, unless the path is missing. */
export function noteProblem(path: string, error: unknown, problems: FileProblem[]): void {
  const reason = errorCode(error);
  if (reason !== "ENOENT" && reason !== "ENOTDIR") problems.push({ path, reason: plainSentence(reason) });
}

/** Returns the paths of everything in these folders, without holding up the thread. A folder that cannot be read is empty. */
export async function pathsIn(folders: readonly string[]): Promise<string[]> {
  return (await Promise.all(folders.map((folder) => listed(folder)))).flat();
}

/** Returns the first of these paths at which there is a regular file. */
export async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(paths.map((file) => isFile(file)));
  return paths.find((_, index) => found[index]);
}

async function listed(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted().map((name) => path.join(folder, name));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
