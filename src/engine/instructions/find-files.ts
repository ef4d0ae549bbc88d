import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { instructionFileAt, type InstructionFile, type InstructionRoots } from "./instruction-file.ts";

/** A file that agents read by themselves. */
export interface FoundInstructions extends InstructionFile {
  /** Absolute path. */
  readonly file: string;
}

/** Folders with other people's code, or with what programs make. */
const skipped = new Set([
  ".git",
  "node_modules",
  "vendor",
  "dist",
  "build",
  "out",
  "target",
  ".venv",
  "venv",
  "__pycache__",
  ".next",
  ".cache",
  "coverage",
]);
/** Maximum depth of folders with their own instructions. */
const deepest = 8;
/** Maximum folders that are searched. */
const maxFolders = 5000;

/**
 * Finds the files that agents read automatically in some projects and in Claude Code's own folders. The
 * widest come first, in the order in which a session gets them. Does not follow links.
 */
export async function findInstructions({ folders, roots }: InstructionRoots): Promise<FoundInstructions[]> {
  const found = new Map<string, FoundInstructions>();
  const add = (file: string): void => {
    const known = instructionFileAt(file, { folders, roots });
    if (known !== null) found.set(file, { ...known, file });
  };
  for (const root of roots) {
    const own = (await entriesOf(root)).filter((entry) => entry.isFile() && entry.name === "CLAUDE.md");
    const below = await filesBelow(["rules", "agents", "skills"].map((name) => path.join(root, name)));
    for (const file of [...own.map(({ name }) => path.join(root, name)), ...below]) add(file);
  }
  for (const file of await filesBelow(folders)) add(file);
  return [...found.values()].sort(bySession);
}

/** Orders files as a session gets them: what all of its agents read first, and of that the widest first. */
export function bySession(a: FoundInstructions, b: FoundInstructions): number {
  const isForSome = ({ kind }: FoundInstructions) => (kind === "instructions" || kind === "rule" ? 0 : 1);
  const depth = ({ folder }: FoundInstructions) => (folder === null ? -1 : folder.split(path.sep).length);
  return (
    isForSome(a) - isForSome(b) || depth(a) - depth(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)
  );
}

async function filesBelow(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  let level = [...folders];
  let looked = 0;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if ((looked += 1) > maxFolders) return files;
      for (const entry of await entriesOf(folder)) {
        const place = path.join(folder, entry.name);
        if (entry.isFile() && entry.name.endsWith(".md")) files.push(place);
        else if (entry.isDirectory() && !skipped.has(entry.name)) next.push(place);
      }
    }
    level = next;
  }
  return files;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // A missing or unreadable folder has none for this user's agents either.
    return [];
  }
}
