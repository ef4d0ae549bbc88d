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
  /** An array has one element each; a text has one. */
  readonly variables: Map<string, readonly Argument[]>;
  readonly functions: Map<string, ShellFunction["body"]>;
  /** Files that the command line has written so far, by their absolute paths: all shells of one machine see the same. */
  readonly files: Map<string, WrittenFile>;
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
    variables: new Map(),
    functions: new Map(),
    files: new Map(),
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
  const { variables, functions, effort } = scope;
  const isCopied = effort.take(forkSteps + variables.size + functions.size);
  return {
    ...scope,
    variables: new Map(isCopied ? variables : []),
    functions: new Map(isCopied ? functions : []),
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

function usualVariable({ folder, context }: Scope, name: string): string | null {
  switch (name) {
    case "HOME":
      return context.home;
    case "PWD":
      return folder;
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
  if (target === undefined) scope.folder = scope.context.home;
  else if (target === "-" || (isUnknown(target) && !isFresh(target, scope)))
    scope.folder = startsKnown(target) && scope.folder !== null ? joinFolder(scope.folder, target) : null;
  else if (path.posix.isAbsolute(target)) scope.folder = path.posix.normalize(target);
  else if (path.win32.isAbsolute(target)) scope.folder = path.win32.normalize(target);
  else scope.folder = scope.folder === null ? null : joinFolder(scope.folder, target);
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
