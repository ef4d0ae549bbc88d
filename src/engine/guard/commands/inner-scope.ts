import type { Function as ShellFunction } from "unbash";
import type { Effort } from "../effort.ts";
import type { OutputOf } from "./expand.ts";
import {
  plainArgument,
  type Argument,
  type Invocation,
  type Place,
  type ShellContext,
} from "./invocation.ts";
import { forkScope, type Scope } from "./scope.ts";
import { wordsWithin } from "./programs/typical-words.ts";

/** The input of a command. */
export interface Input {
  /** Programs that write it, and the files that they were given, as `<FILE`. */
  readonly from: readonly string[];
  /** Its text, where known. */
  readonly text: string | null;
}

export const noInput: Input = { from: [], text: null };

/** The programs that ran, and what they printed where that is known. */
export interface Ran {
  readonly programs: readonly string[];
  readonly text: string | null;
}

export const nothingRan: Ran = { programs: [], text: null };

/** Records that a command is too deep to be read, or one too many. */
export function leftOut(effort: Effort): Ran {
  effort.leaveOut();
  return nothingRan;
}

export function joinRuns(all: readonly Ran[]): Ran {
  const texts = all.map(({ text }) => text);
  return {
    programs: all.flatMap(({ programs }) => programs),
    text: texts.length > 0 && texts.every((text) => text !== null) ? texts.join("") : null,
  };
}

/** Returns the inputs of a loop's rounds where they are known: a line each, or of many lines those that stand for all. */
export function linesOf(
  input: Input,
  most: { readonly whole: number; readonly typical: number },
  effort: Effort,
): readonly Input[] {
  const lines = input.text?.split("\n").filter((line) => line !== "") ?? [];
  if (lines.length < 2) return [input];
  return wordsWithin(lines.map(plainArgument), most, effort).map(({ text }) => ({ from: input.from, text }));
}

/** Reads the scripts that a command runs, and collects its invocations. */
export interface ScriptReader {
  readonly isGuess: boolean;
  readonly read: (text: string, scope: Scope, input: Input) => Ran;
  readonly add: (invocation: Invocation) => void;
  readonly callFunction: (body: ShellFunction["body"], scope: Scope, input: Input) => Ran;
  readonly outputOf: OutputOf;
  /**
   * Reads a stored script apart: what it needs is not taken from the command line's own effort, and each is read once.
   * @param key the file, and the part of it
   */
  readonly readApart: (key: string, read: (reader: ScriptReader, effort: Effort) => void) => void;
}

export interface Running {
  readonly reader: ScriptReader;
  /** Scope of the command, with its own assignments. */
  readonly scope: Scope;
  /** Scope that its builtins change. */
  readonly outer: Scope;
  readonly input: Input;
}

const remoteContext: ShellContext = { folder: "~", home: "~", project: null, temporary: "/tmp" };
const containerContext: ShellContext = { folder: null, home: "/root", project: null, temporary: "/tmp" };

/** Returns the scope of what a wrapper runs. */
export function inside(scope: Scope, program: string, place: Place | null): Scope {
  const via = [...scope.via, program];
  if (place === null || place === "here") return forkScope(scope, { via });
  const context = place === "remote" ? remoteContext : containerContext;
  return {
    ...forkScope(scope, { via, place, folder: context.folder }),
    context,
    files: new Map(),
    remotes: new Map(),
    links: new Map(),
  };
}

/** Returns the scope of a function or a script with its parameters: `$1`, `$@`, and `$0` where its name is given too. */
export function withParameters(scope: Scope, args: readonly Argument[], name?: Argument): Scope {
  const own = forkScope(scope);
  if (name !== undefined) own.variables.set("0", [name]);
  for (const [index, arg] of args.entries()) own.variables.set(String(index + 1), [arg]);
  own.variables.set("@", args);
  own.variables.set("*", args);
  return own;
}
