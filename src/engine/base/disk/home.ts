import path from "node:path";
import { readFileSync, statSync } from "node:fs";

export interface HomeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/** The system's limit for a socket's path is 108 on Linux and 104 on macOS, including a terminating zero. Bytes. */
export const maxSocketPath = 103;

export interface PurserPaths {
  readonly folder: string;
  /** How to reach the running service, if there is one. */
  readonly record: string;
  readonly log: string;
  /** Folder of the service's socket, if its path is short enough. */
  readonly sockets: string;
  /** Leads to the socket of the running service that answers hooks. Its path stays the same, as agents' hooks name it. */
  readonly hookSocket: string;
  /** Address of the hook server; see `hooks/server/address.ts`. */
  readonly hooks: string;
  /** Hook events from times without a running service. */
  readonly spool: string;
  /** Prompts that passed before a service could answer them, for a few minutes. */
  readonly prompts: string;
  readonly sessions: string;
  /**
   * Records of what was installed in agents' settings, so that it can be removed; and the installations of
   * purser it may refer to.
   */
  readonly installedHooks: string;
  readonly installations: string;
  /** Settings for all agents by the user; and settings made in editor windows. */
  readonly settings: string;
  readonly windowSettings: string;
  /** The user's guard rules, exceptions, and what rules that come with purser do instead. */
  readonly guardRules: string;
  /** The folders with guard rules that may be read. */
  readonly trustedFolders: string;
  /** The file of each project that rules of the main conversation go into. */
  readonly mainFiles: string;
  /** Originals of shortened outputs. */
  readonly outputs: string;
  /** Spending of projects that purser's service may not write to. */
  readonly spending: string;
  /** Documents that hand a session's work over to another. */
  readonly handovers: string;
  /** The projects of folders, for those that are gone. */
  readonly projects: string;
  /** The random id and the label of this machine; and the other machines whose usage is merged here. */
  readonly ownMachine: string;
  readonly machines: string;
  /** Recurring agents: their sessions, wakes that are not in the ledger yet, and what each has seen of its tasks. */
  readonly wakes: string;
  /** Benches, each in its own folder, and the installed dependencies of their fixtures. */
  readonly benches: string;
  readonly fixtures: string;
  /** Outcome of each commit that was tried as a golden task. */
  readonly goldenHistory: string;
  /** Compiled code of purser's programs, in a folder per build. */
  readonly compiled: string;
}

/**
 * Returns the paths below `PURSER_HOME`, or below `.purser` in the user's home. A relative path is below the user's home, since programs in
 * different folders must find the same one.
 */
export function purserPaths({ env, home }: HomeInput): PurserPaths {
  const configured = (env["PURSER_HOME"] ?? "").trim();
  const root = configured === "" ? path.join(home, ".purser") : configured.replace(/^~(?=$|[\\/])/u, home);
  const folder = path.resolve(home, root);
  return {
    folder,
    record: path.join(folder, "service.json"),
    log: path.join(folder, "service.log"),
    sockets: path.join(folder, "run"),
    hookSocket: path.join(folder, "run", "hooks.sock"),
    hooks: path.join(folder, "hooks.json"),
    spool: path.join(folder, "spool"),
    prompts: path.join(folder, "prompts"),
    sessions: path.join(folder, "sessions"),
    installedHooks: path.join(folder, "installed-hooks"),
    installations: path.join(folder, "installations"),
    settings: path.join(folder, "settings.json"),
    windowSettings: path.join(folder, "window-settings.json"),
    guardRules: path.join(folder, "guard.yaml"),
    trustedFolders: path.join(folder, "trusted-folders.json"),
    mainFiles: path.join(folder, "main-files.json"),
    outputs: path.join(folder, "outputs"),
    spending: path.join(folder, "spending"),
    handovers: path.join(folder, "handovers"),
    projects: path.join(folder, "projects.json"),
    ownMachine: path.join(folder, "machine.json"),
    machines: path.join(folder, "machines.json"),
    wakes: path.join(folder, "wakes"),
    benches: path.join(folder, "bench"),
    fixtures: path.join(folder, "fixture"),
    goldenHistory: path.join(folder, "golden-history"),
    compiled: path.join(folder, "compiled"),
  };
}

/**
 * Returns the main working tree of the linked worktree that contains `cwd`; undefined when it is in none. A
 * linked worktree has a `.git` file with `gitdir: <main>/.git/worktrees/<name>`. A bare repository has no
 * main working tree: then it is the repository itself, or the folder with the `.git` file that names it.
 */
export function mainWorktree(cwd: string, paths: path.PlatformPath): string | undefined {
  for (let folder = cwd; ; folder = paths.dirname(folder)) {
    const pointer = paths.join(folder, ".git");
    const kind = kindOf(pointer);
    if (kind === "folder" || paths.dirname(folder) === folder) return undefined;
    if (kind === "file") {
      const gitdir = gitFolder(pointer, paths);
      return gitdir !== undefined && paths.basename(paths.dirname(gitdir)) === "worktrees"
        ? workingTreeOf(paths.resolve(gitdir, "..", ".."), paths)
        : undefined;
    }
  }
}

/** @param common the folder that all worktrees of a repository share */
function workingTreeOf(common: string, paths: path.PlatformPath): string {
  const parent = paths.dirname(common);
  if (paths.basename(common) === ".git") return parent;
  // A submodule's repository is in its parent's, and names its working tree.
  const config = ifPossible(() => readFileSync(paths.join(common, "config"), "utf8")) ?? "";
  const value = /^[ \t]*worktree[ \t]*=([^"\n]*|[ \t]*"[^"\n]*"\s*)$/mu.exec(config)?.[1] ?? "";
  const named = value.trim().replaceAll(/^"|"$/gu, "");
  if (named !== "") return paths.resolve(common, named);
  const pointer = paths.join(parent, ".git");
  return kindOf(pointer) === "file" && gitFolder(pointer, paths) === common ? parent : common;
}

/** A `.git` pointer file is one short line; larger files are not read as one. Bytes. */
const maxPointerSize = 16 * 1024;

function kindOf(fullPath: string): "file" | "folder" | undefined {
  const stats = ifPossible(() => statSync(fullPath));
  if (stats?.isDirectory() === true) return "folder";
  return stats?.isFile() === true && stats.size <= maxPointerSize ? "file" : undefined;
}

/** The absolute path in a `.git` file. */
function gitFolder(pointer: string, paths: path.PlatformPath): string | undefined {
  const text = ifPossible(() => readFileSync(pointer, "utf8"));
  const named = /^gitdir: (.+)$/mu.exec(text ?? "")?.[1]?.trim();
  return named === undefined ? undefined : paths.resolve(paths.dirname(pointer), named);
}

/** Undefined for a path that is missing, unreadable or invalid. */
export function ifPossible<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
