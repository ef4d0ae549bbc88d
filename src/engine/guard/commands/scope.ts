import path from "node:path";
import type { Effort } from "../effort.ts";
import type { Argument, Environment, Place, ShellContext, Shown } from "./invocation.ts";
import { isUnknown, noEnvironment, plainArgument, unknownPart, unknownText } from "./invocation.ts";
import type { Function as ShellFunction } from "unbash";

/** A file as the command line left it. */
export interface WrittenFile {
  /** Null where only the running program knows it. */
  readonly text: string | null;
  /** Programs that wrote it, and the files that they were given, as `<FILE`. */
  readonly from: readonly string[];
  /** Commands that read what is written to it, as in `>(sh)`. */
  readonly readBy?: string;
}

/** What a path leads to that is not its own: a link, or a folder mounted there. */
interface LinkedPath {
  readonly target: string;
  /** Deleting the path itself deletes what is in the target. */
  readonly isMount: boolean;
}

/** A shell's variables, functions and folder at one point of a script. */
export interface Scope {
  readonly context: ShellContext;
  /** What may still be done for the whole command line. */
  readonly effort: Effort;
  /** Null where unknown. */
  folder: string | null;
  /** The folder before this one, to which `cd -` returns. Null where unknown. */
  previousFolder: string | null;
  /** Folders to which `popd` returns, the latest first. */
  folderStack: readonly (string | null)[];
  /** An array has one element each; a text has one. */
  readonly variables: Map<string, readonly Argument[]>;
  readonly functions: Map<string, ShellFunction["body"]>;
  /** Texts that stand for the first word of a command. */
  readonly aliases: Map<string, string>;
  /** Files that the command line has written so far, by their absolute paths: all shells of one machine see the same. */
  readonly files: Map<string, WrittenFile>;
  /** Addresses of the remotes of git that the command line has added so far, by their names. */
  readonly remotes: Map<string, Argument>;
  /** Links that the command line has made so far, and folders that a container is given, by their absolute paths. */
  readonly links: Map<string, LinkedPath>;
  readonly place: Place;
  readonly via: readonly string[];
  readonly shown: Shown;
  /** Number of scripts, functions and wrappers around. */
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
    remotes: new Map(),
    links: new Map(),
    place: "here",
    via: [],
    shown: "whole",
    depth: 0,
  };
}

/** Steps for a scope besides what is copied. */
const forkSteps = 10;

/** Copies a scope for a shell of its own, whose changes end with it. Where copying is too much, its variables and functions are unknown. */
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

/** Variables of every shell whose text is never empty but not known here. */
const neverEmpty = new Set(["USER", "LOGNAME", "HOSTNAME"]);
/** Likewise, of which each is a number: `/tmp/$$` is a path of its own, not all that is in the folder. */
const numbers = new Set(["UID", "EUID", "RANDOM", "SECONDS", "PPID", "$", "!", "?", "#"]);

/** Returns a variable's elements; null where it is not known. */
export function variableOf(scope: Scope, name: string): readonly Argument[] | null {
  const assigned = scope.variables.get(name);
  if (assigned !== undefined) return assigned;
  // Without parameters, as in a shell that reads commands.
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

const tellingVariable = /(?:ENV|ENVIRONMENT|URL|URI|DATABASE|DB|_NAME|_MODULE)$/u;

/** Returns the variables that say for which stage or database a command runs. */
export function environmentOf({ variables, effort }: Scope): Environment {
  if (variables.size === 0 || !effort.take(Math.ceil(variables.size / passed))) return noEnvironment;
  const found: (readonly [string, string])[] = [];
  for (const [name, [value]] of variables)
    if (value !== undefined && tellingVariable.test(name)) found.push([name, value.text]);
  return found.length === 0 ? noEnvironment : found;
}

/** Variables that one step passes over. */
const passed = 8;

/** Moves a scope into the folder of a `cd`. */
export function enterFolder(scope: Scope, target: string | undefined): void {
  const entered = folderOf(scope, target);
  scope.previousFolder = scope.folder;
  scope.folder = entered;
}

/** Moves a scope as `pushd` does: without a folder it changes the last two. */
export function pushFolder(scope: Scope, target: string | undefined): void {
  const [last = null, ...others] = scope.folderStack;
  const { folder } = scope;
  // A number turns the whole stack.
  if (target !== undefined && /^[+-]\d+$/u.test(target)) moveTo(scope, null, []);
  else if (target === undefined) moveTo(scope, last, [folder, ...others]);
  else moveTo(scope, folderOf(scope, target), [folder, ...scope.folderStack]);
}

/** Moves a scope back as `popd` does. */
export function popFolder(scope: Scope): void {
  const [last = null, ...others] = scope.folderStack;
  moveTo(scope, last, others);
}

function moveTo(scope: Scope, folder: string | null, stack: readonly (string | null)[]): void {
  scope.previousFolder = scope.folder;
  scope.folder = folder;
  scope.folderStack = stack.slice(0, mostFolders);
}

/** Folders that `popd` can return to; earlier ones are unknown. */
const mostFolders = 20;

/** Gives a scope the folders of another one of the same shell. */
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

/** Tests whether a folder is below one of this folder, of which the name is known. */
const startsKnown = (target: string): boolean =>
  /^[\w.-]+\//u.test(target) && !target.includes("..") && !isUnknown(target.slice(0, target.indexOf("/")));

/** Tests whether a folder is a new one below that for temporary files, of which only the name is not known. */
function isFresh(target: string, { context: { temporary } }: Scope): boolean {
  return target.startsWith(`${temporary}/`) && !target.includes(unknownPart);
}

function joinFolder(folder: string, target: string): string {
  return folder.includes("\\") ? path.win32.join(folder, target) : path.posix.join(folder, target);
}
