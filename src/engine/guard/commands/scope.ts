import path from "node:path";
import type { Function as ShellFunction } from "unbash";
import type { Effort } from "../effort.ts";
import {
  type Argument,
  type Environment,
  type Place,
  type ShellContext,
  type Shown,
  isUnknown,
  noEnvironment,
  plainArgument,
  unknownPart,
  unknownText,
  type Invocation,
} from "./invocation.ts";

/** A file that the command line has written. */
export interface WrittenFile {
  /** Null if only the running program knows it. */
  readonly text: string | null;
  /** Programs that wrote it, and their files as `<FILE`. */
  readonly from: readonly string[];
  /** Commands that read the written text, as in `>(sh)`. */
  readonly readBy?: string;
}

/** A file or folder, and the stored one that it was copied or made from. */
interface Copied {
  readonly target: string;
  readonly source: string;
}

/** The target of a link or a mount. */
interface LinkedPath {
  readonly target: string;
  /** Deleting the path itself deletes the content of the target. */
  readonly isMount: boolean;
}

/** A shell's variables, functions and folder at one point of a script. */
export interface Scope {
  readonly context: ShellContext;
  /** The remaining steps for the whole command line. */
  readonly effort: Effort;
  /** Null if unknown. */
  folder: string | null;
  /** The folder to which `cd -` returns; null if unknown. */
  previousFolder: string | null;
  /** Folders to which `popd` returns, the latest first. */
  folderStack: readonly (string | null)[];
  /** The elements of arrays; a text is one element. */
  readonly variables: Map<string, readonly Argument[]>;
  readonly functions: Map<string, ShellFunction["body"]>;
  /** Replacements of a command's first word. */
  readonly aliases: Map<string, string>;
  /** Files that the command line has written, by absolute path. All shells of one machine share them. */
  readonly files: Map<string, WrittenFile>;
  /** Files and folders whose content came from others of the disk, by absolute path; the latest last. */
  readonly copies: Copied[];
  /** Addresses of git remotes that the command line has added, by name. */
  readonly remotes: Map<string, Argument>;
  /** Links that the command line has created, and mounts of a container, by absolute path. */
  readonly links: Map<string, LinkedPath>;
  readonly place: Place;
  readonly via: readonly string[];
  readonly shown: Shown;
  /** Number of surrounding scripts, functions and wrappers. */
  readonly depth: number;
}

export function newScope(context: ShellContext, effort: Effort): Scope {
  return {
    context,
    effort,
    folder: context.folder,
    previousFolder: null,
    folderStack: [],
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    copies: [],
    remotes: new Map(),
    links: new Map(),
    place: "here",
    via: [],
    shown: "whole",
    depth: 0,
  };
}

/** Steps for a scope without its copies. */
const forkSteps = 10;

/** Copies a scope for a subshell. If copying takes too many steps, its variables and functions are unknown. */
export function forkScope(
  scope: Scope,
  changes: Partial<Pick<Scope, "place" | "via" | "folder" | "shown">> = {},
): Scope {
  const { variables, functions, aliases, effort } = scope;
  const isCopied = effort.take(forkSteps + variables.size + functions.size + aliases.size);
  return {
    ...scope,
    variables: new Map(isCopied ? variables : []),
    functions: new Map(isCopied ? functions : []),
    aliases: new Map(isCopied ? aliases : []),
    depth: scope.depth + 1,
    ...changes,
  };
}

/** Variables of every shell with an unknown text that is never empty. */
const neverEmpty = new Set(["USER", "LOGNAME", "HOSTNAME"]);
/** Variables with a number: `/tmp/$$` is one path, not everything in the folder. */
const numbers = new Set(["UID", "EUID", "RANDOM", "SECONDS", "PPID", "$", "!", "?", "#"]);

/** Returns a variable's elements; null if unknown. */
export function variableOf(scope: Scope, name: string): readonly Argument[] | null {
  const assigned = scope.variables.get(name);
  if (assigned !== undefined) return assigned;
  // An interactive shell has no parameters.
  if (name === "@" || name === "*") return [];
  if (/^[1-9]$/u.test(name)) return [plainArgument("")];
  const text = usualVariable(scope, name);
  return text === null ? null : [plainArgument(text)];
}

function usualVariable({ folder, previousFolder, context }: Scope, name: string): string | null {
  switch (name) {
    case "HOME":
      return context.home;
    case "PWD":
      return folder;
    case "OLDPWD":
      return previousFolder;
    case "TMPDIR":
      return context.temporary;
    case "CLAUDE_CONFIG_DIR":
      return `${context.home}/.claude`;
    case "CODEX_HOME":
      return `${context.home}/.codex`;
    case "COPILOT_HOME":
      return `${context.home}/.copilot`;
    case "XDG_CONFIG_HOME":
      return `${context.home}/.config`;
    case "SHELL":
      return "/bin/bash";
    case "CLAUDE_PROJECT_DIR":
      return context.project;
    case "IFS":
      return " \t\n";
    default:
      if (numbers.has(name)) return `n${unknownText}`;
      return neverEmpty.has(name) ? unknownText : null;
  }
}

const stageVariable = /(?:ENV|ENVIRONMENT|URL|URI|DATABASE|DB|_NAME|_MODULE)$/u;

/** Returns the variables that name a stage or a database. */
export function environmentOf({ variables, effort }: Scope): Environment {
  if (variables.size === 0 || !effort.take(Math.ceil(variables.size / variablesPerStep)))
    return noEnvironment;
  const found: (readonly [string, string])[] = [];
  for (const [name, [value]] of variables)
    if (value !== undefined && stageVariable.test(name)) found.push([name, value.text]);
  return found.length === 0 ? noEnvironment : found;
}

/** Variables that are read in one step. */
const variablesPerStep = 8;

/** Changes the folder as `cd` does. */
export function enterFolder(scope: Scope, target: string | undefined): void {
  const entered = folderOf(scope, target);
  scope.previousFolder = scope.folder;
  scope.folder = entered;
}

/** Changes the folder as `pushd` does: without a folder it swaps the last two. */
export function pushFolder(scope: Scope, target: string | undefined): void {
  const [last = null, ...others] = scope.folderStack;
  const { folder } = scope;
  // A number rotates the stack.
  if (target !== undefined && /^[+-]\d+$/u.test(target)) moveTo(scope, null, []);
  else if (target === undefined) moveTo(scope, last, [folder, ...others]);
  else moveTo(scope, folderOf(scope, target), [folder, ...scope.folderStack]);
}

/** Changes the folder as `popd` does. */
export function popFolder(scope: Scope): void {
  const [last = null, ...others] = scope.folderStack;
  moveTo(scope, last, others);
}

function moveTo(scope: Scope, folder: string | null, stack: readonly (string | null)[]): void {
  scope.previousFolder = scope.folder;
  scope.folder = folder;
  scope.folderStack = stack.slice(0, maxFolders);
}

/** Maximum folders for `popd`; earlier ones are unknown. */
const maxFolders = 20;

/** Copies the folders from another scope of the same shell. */
export function takeFolders(scope: Scope, { folder, previousFolder, folderStack }: Scope): void {
  Object.assign(scope, { folder, previousFolder, folderStack });
}

function folderOf(scope: Scope, target: string | undefined): string | null {
  if (target === undefined) return scope.context.home;
  if (target === "-" || target === "~-") return scope.previousFolder;
  if (isUnknown(target) && !isFresh(target, scope))
    return startsKnown(target) && scope.folder !== null ? joinFolder(scope.folder, target) : null;
  if (path.posix.isAbsolute(target)) return path.posix.normalize(target);
  if (path.win32.isAbsolute(target)) return path.win32.normalize(target);
  return scope.folder === null ? null : joinFolder(scope.folder, target);
}

/** Tests whether a path begins with a known folder below the current one. */
const startsKnown = (target: string): boolean =>
  /^[\w.-]+\//u.test(target) && !target.includes("..") && !isUnknown(target.slice(0, target.indexOf("/")));

/** Tests whether a folder is a new temporary one with an unknown name. */
function isFresh(target: string, { context: { temporary } }: Scope): boolean {
  return target.startsWith(`${temporary}/`) && !target.includes(unknownPart);
}

function joinFolder(folder: string, target: string): string {
  return folder.includes("\\") ? path.win32.join(folder, target) : path.posix.join(folder, target);
}

/** Returns an invocation in a scope, without a program and words. */
export function bareInvocation(scope: Scope, isGuess: boolean): Invocation {
  const { folder, place, via, shown } = scope;
  return {
    environment: environmentOf(scope),
    program: "",
    args: [],
    redirections: [],
    from: [],
    runs: [],
    input: null,
    via,
    folder,
    place,
    shown,
    isGuess,
  };
}
