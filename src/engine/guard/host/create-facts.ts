import { lstat, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/result.ts";
import { TtlCache } from "../../base/timing.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { FactPorts } from "../facts/checks/check.ts";
import type { FactHandlerPorts } from "../facts/facts-handler.ts";
import { InstalledPrograms } from "./installed-programs.ts";

/** Cache lifetime of a project's files, and default time limit of a program. Milliseconds. */
const [filesTtl, defaultTime] = [10_000, 100];

export interface FactInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly contextOf: (folder: string | null) => ShellContext;
  /** Time limit for each run of a program. Milliseconds. */
  readonly time?: number;
}

export function createFacts({
  env,
  contextOf,
  time = defaultTime,
}: FactInput): Omit<FactHandlerPorts, "delivery"> {
  const programs = new InstalledPrograms(env, time);
  const git = (folder: string, args: readonly string[]) => programs.git(folder, args);
  const files = new TtlCache((project) => projectFiles(project, git), {
    trust: filesTtl,
    now: () => performance.now(),
  });
  return {
    contextOf,
    load: async () => await import("../facts/look-up.ts"),
    facts: {
      look: lookAt,
      text: textOf,
      list: namesIn,
      filesOf: async (project) => await files.get(project),
      walk: filesBelow,
      git,
      help: (program, subcommand, folder) => programs.help(program, subcommand, folder),
      searched: programs.searched,
      projectOf: (folder) => contextOf(folder).project ?? folder,
    },
  };
}

/** Returns the files of a project that git knows or does not ignore; without git, all files below it. */
async function projectFiles(project: string, git: FactPorts["git"]): Promise<readonly string[]> {
  const listed = await git(project, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  if (listed?.code === 0) return [...new Set(listed.output.split("\0").filter((file) => file !== ""))];
  return (await filesBelow(project)) ?? [];
}

/** Larger files are not read. Bytes. */
const maxBytes = 4 * 1024 * 1024;
/** Maximum names in a tree; larger trees are not listed. */
const maxNames = 20_000;
/** Folders without files of the project's own. */
const skipped = new Set([".git", "node_modules", ".hg", ".svn", ".venv", "venv", "__pycache__", "target"]);

/** Returns what is at a path; `none` only if that is certain. */
async function lookAt(file: string): ReturnType<FactPorts["look"]> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return await targetOf(file);
    return found.isDirectory() ? "folder" : "file";
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "none" : "unknown";
  }
}

/** A link may have a target that does not exist yet. */
async function targetOf(link: string): Promise<"folder" | "file" | "unknown"> {
  try {
    return (await stat(link)).isDirectory() ? "folder" : "file";
  } catch (error) {
    errorCode(error);
    return "unknown";
  }
}

async function textOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file);
    // Reading a pipe would block.
    return found.isFile() && found.size <= maxBytes ? await readFile(file, "utf8") : null;
  } catch (error) {
    errorCode(error);
    return null;
  }
}

async function namesIn(folder: string): Promise<readonly string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    errorCode(error);
    return null;
  }
}

/** Returns the files below a folder, relative with slashes; null for too many, or if a folder is unreadable. */
async function filesBelow(folder: string): Promise<readonly string[] | null> {
  const files: string[] = [];
  let level = [""];
  let count = 0;
  while (level.length > 0) {
    const entries = await Promise.all(level.map((below) => entriesOf(folder, below)));
    const next: string[] = [];
    for (const each of entries) {
      if (each === null) return null;
      count += each.length;
      if (count > maxNames) return null;
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
