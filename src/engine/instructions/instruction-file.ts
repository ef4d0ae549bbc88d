import path from "node:path";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import * as z from "zod/mini";
import { readFrontmatter } from "../bench/frontmatter.ts";

export { sectionsOf, textOfLines, withoutLines, withoutSection } from "./markdown-section.ts";

/** A file whose text enters contexts automatically. */
export interface InstructionFile {
  readonly kind: "instructions" | "rule" | "agent" | "skill" | "recurring";
  /** Name of the agent or skill; else of the file. */
  readonly name: string;
  /** Sessions that work in this folder or below have the file; null: all of the user's sessions. */
  readonly folder: string | null;
  /** The coding agents that read it. */
  readonly programs: readonly string[];
  /**
   * Path in a project, with `/`. A file for all of the user's projects is measured as a project's own. Null
   * for any other file.
   */
  readonly path: string | null;
}

interface InstructionRoots {
  /** Folders of the window. */
  readonly folders: readonly string[];
  /** Claude Code's configuration folders. */
  readonly roots: readonly string[];
}

const claude = ["claude-code"];
/** Agents that read an AGENTS.md on their own. */
const readsAgents = ["codex", "copilot"];

const recurring = /(?:^|\/)\.purser\/agents\/([^/]+)\.md$/u;

/**
 * Returns the role of a file for agents, by its path. Null if it has none.
 * @param file its absolute path
 */
export function instructionFileAt(
  file: string,
  { folders, roots }: InstructionRoots,
): InstructionFile | null {
  const root = roots.find((each) => isWithin(file, each));
  const workspace = folders.find((each) => isWithin(file, each));
  if (root !== undefined) {
    const below = wayTo(file, root);
    const found = ofConfiguration(below, null) ?? (below === "CLAUDE.md" ? instructions(below, null) : null);
    return found && { ...found, path: `.claude/${below}` };
  }
  const filePath = workspace === undefined ? null : wayTo(file, workspace);
  const parts = file.split(path.sep);
  const index = parts.lastIndexOf(".claude");
  const folder = index === -1 ? path.dirname(file) : parts.slice(0, index).join(path.sep);
  const below = parts.slice(index + 1).join("/");
  const [, woken] = recurring.exec(file.split(path.sep).join("/")) ?? [];
  if (woken !== undefined) {
    const folderOf = parts.slice(0, -3).join(path.sep);
    const programs = [...claude, ...readsAgents];
    return { kind: "recurring", name: woken, folder: folderOf, programs, path: filePath };
  }
  const found =
    (index === -1 ? null : ofConfiguration(below, folder)) ?? instructions(path.basename(file), folder);
  return found && { ...found, path: filePath };
}

/** Returns whether a folder is another one or inside it. */
export function isWithin(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

type Found = Omit<InstructionFile, "path"> | null;

function instructions(name: string, folder: string | null): Found {
  if (name === "CLAUDE.md" || name === "CLAUDE.local.md")
    return { kind: "instructions", name, folder, programs: claude };
  return name === "AGENTS.md" ? { kind: "instructions", name, folder, programs: readsAgents } : null;
}

/** @param below its path below a `.claude` folder, with `/` */
function ofConfiguration(below: string, folder: string | null): Found {
  const of = { folder, programs: claude };
  const name = path.posix.basename(below, ".md");
  if (/^rules\/.+\.md$/u.test(below)) return { kind: "rule", name, ...of };
  if (/^agents\/.+\.md$/u.test(below)) return { kind: "agent", name, ...of };
  const [, skill] = /^skills\/(?:.+\/)?([^/]+)\/SKILL\.md$/u.exec(below) ?? [];
  return skill === undefined ? null : { kind: "skill", name: skill, ...of };
}

function wayTo(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).join("/");
}

const fields = z.looseObject({
  name: z.catch(z.optional(z.string()), undefined),
  description: z.catch(z.optional(z.string()), undefined),
  paths: z.optional(z.unknown()),
  "disable-model-invocation": z.optional(z.unknown()),
});

/** Facts from a file's frontmatter that its rent depends on. */
export interface InstructionFields {
  /** The name that callers use. */
  readonly name: string | null;
  /** The text about a skill that every conversation receives, or null. */
  readonly description: string | null;
  /** True for a rule that is read only with certain files. */
  readonly isConditional: boolean;
}

export function instructionFields(text: string): InstructionFields {
  const read = readFrontmatter(text, fields);
  if (!read.ok) return { name: null, description: null, isConditional: false };
  const { name = null, description = null, paths, "disable-model-invocation": isOff } = read.value;
  const isConditional = paths !== undefined && paths !== null;
  return { name, description: isOff === true ? null : description, isConditional };
}

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
