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
import type { StoredText } from "./stored/run-stored.ts";
import { wordsWithin } from "./programs/typical-words.ts";

/** The input of a command. */
export interface Input {
  /** Programs that write it, and their files as `<FILE`. */
  readonly from: readonly string[];
  /** Its text, if known. */
  readonly text: string | null;
}

export const noInput: Input = { from: [], text: null };

/** The programs that ran, and their output, if known. */
export interface Ran {
  readonly programs: readonly string[];
  readonly text: string | null;
}

export const nothingRan: Ran = { programs: [], text: null };

/** Records that a command was not read. */
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

/** Returns the known inputs of a loop's rounds: a line each; of many lines, typical ones. */
export function linesOf(
  input: Input,
  max: { readonly whole: number; readonly typical: number },
  effort: Effort,
): readonly Input[] {
  const lines = input.text?.split("\n").filter((line) => line !== "") ?? [];
  if (lines.length < 2) return [input];
  return wordsWithin(lines.map(plainArgument), max, effort).map(({ text }) => ({ from: input.from, text }));
}

/** Reads scripts and collects their invocations. */
export interface ScriptReader {
  readonly isGuess: boolean;
  readonly read: (text: string, scope: Scope, input: Input) => Ran;
  readonly add: (invocation: Invocation) => void;
  readonly callFunction: (body: ShellFunction["body"], scope: Scope, input: Input) => Ran;
  readonly outputOf: OutputOf;
  /** Whether a stored script was read. */
  readonly hasRead: (key: string) => boolean;
  /**
   * Reads a stored script once, with an effort apart from the command line's.
   * @param key the file and the part of it
   */
  readonly readApart: (
    key: string,
    read: (reader: ScriptReader, effort: Effort) => void,
    about: StoredText,
  ) => void;
}

export interface Running {
  readonly reader: ScriptReader;
  /** Scope of the command, with its assignments. */
  readonly scope: Scope;
  /** Scope that its builtins change. */
  readonly outer: Scope;
  readonly input: Input;
}

const remoteContext: ShellContext = { folder: "~", home: "~", project: null, temporary: "/tmp" };
const containerContext: ShellContext = { folder: null, home: "/root", project: null, temporary: "/tmp" };

/** Returns the scope inside a wrapper. */
export function inside(scope: Scope, program: string, place: Place | null): Scope {
  const via = [...scope.via, program];
  if (place === null || place === "here") return forkScope(scope, { via });
  const context = place === "remote" ? remoteContext : containerContext;
  return {
    ...forkScope(scope, { via, place, folder: context.folder }),
    context,
    files: new Map(),
    copies: [],
    remotes: new Map(),
    links: new Map(),
  };
}

/** Returns the scope of a function or script with its parameters: `$1`, `$@`, and with a name `$0`. */
export function withParameters(scope: Scope, args: readonly Argument[], name?: Argument): Scope {
  const own = forkScope(scope);
  if (name !== undefined) own.variables.set("0", [name]);
  for (const [index, arg] of args.entries()) own.variables.set(String(index + 1), [arg]);
  own.variables.set("@", args);
  own.variables.set("*", args);
  return own;
}
