import type { Function as ShellFunction } from "unbash";
import type { OutputOf } from "./expand.ts";
import { codeOf, readInlineCode } from "./inline-code.ts";
import {
  isUnknown,
  plainArgument,
  programName,
  type Argument,
  type Invocation,
  type Place,
  type Redirection,
  type ShellContext,
} from "./invocation.ts";
import { printedBy } from "./known-output.ts";
import { looseInvocations, type LooseLanguage } from "./loose.ts";
import { openWrapper, startPoints } from "./open-wrapper.ts";
import { scriptFile } from "./script-file.ts";
import { enterFolder, forkScope, type Scope } from "./scope.ts";
import { scriptSources } from "./script-sources.ts";
import { afterRedirections, lesserShown } from "./shown.ts";
import { shells } from "./wrappers.ts";

/** The input of a command. */
export interface Input {
  /** Programs that write it. */
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

/** Reads the scripts that a command runs, and collects its invocations. */
export interface ScriptReader {
  readonly isGuess: boolean;
  readonly read: (text: string, scope: Scope, input: Input) => Ran;
  readonly add: (invocation: Invocation) => void;
  readonly callFunction: (body: ShellFunction["body"], scope: Scope, input: Input) => Ran;
  readonly outputOf: OutputOf;
}

interface Running {
  readonly reader: ScriptReader;
  /** Scope of the command, with its own assignments. */
  readonly scope: Scope;
  /** Scope that its builtins change. */
  readonly outer: Scope;
  readonly input: Input;
}

/** Runs a command's words: a function, a builtin that changes the shell, a wrapper, or a program. */
export function runWords(
  words: readonly Argument[],
  redirections: readonly Redirection[],
  { reader, scope, outer, input }: Running,
): Ran {
  const [name, ...args] = words;
  if (name === undefined || scope.depth > deepest) return { programs: [], text: null };
  const body = scope.functions.get(name.text);
  if (body !== undefined) return reader.callFunction(body, withParameters(scope, args), input);
  const program = programName(name.text);
  runBuiltin(program, args, outer, reader);
  const { folder, place, via } = scope;
  // A command whose name only the shell knows runs whatever a program prints.
  const isPrinted = isUnknown(name.text) && name.from.some((source) => !source.startsWith("$"));
  const runs = isPrinted ? name.from : scriptSources(program, args, input.from);
  const shown = afterRedirections(scope.shown, redirections);
  const read = { redirections, from: input.from, input: input.text, runs, shown };
  const known = isPrinted ? "eval" : program;
  reader.add({ program: known, args, ...read, via, folder, place, isGuess: reader.isGuess });
  const innerScope = shown === scope.shown ? scope : { ...scope, shown };
  const inner = runInner(program, args, { reader, scope: innerScope, outer, input });
  const text = inner?.text ?? printedText(program, args, input.text, scope);
  return { programs: [program, ...filesOf(program, args, redirections), ...(inner?.programs ?? [])], text };
}

/** Commands within commands beyond this number are not read. */
const deepest = 14;

function withParameters(scope: Scope, args: readonly Argument[]): Scope {
  const own = forkScope(scope);
  for (const [index, arg] of args.entries()) own.variables.set(String(index + 1), [arg]);
  own.variables.set("@", args);
  own.variables.set("*", args);
  return own;
}

/** Programs whose words name no files that they print. */
const namesOnly = new Set([
  "echo",
  "printf",
  "ls",
  "find",
  "test",
  "[",
  "wc",
  "stat",
  "basename",
  "dirname",
  "export",
]);
/** Files of one command that are remembered. */
const mostFiles = 20;

/** Returns what a command may have printed the text of. */
function filesOf(program: string, args: readonly Argument[], redirections: readonly Redirection[]): string[] {
  if (namesOnly.has(program)) return [];
  const words = args.map(({ text }) => text).filter((text) => text !== "" && !text.startsWith("-"));
  const read = redirections.filter(({ kind }) => kind === "read").map(({ target }) => target.text);
  return [...read, ...words.filter((text) => text.length < 300)]
    .slice(0, mostFiles)
    .map((text) => `<${text}`);
}

const declaring = new Set(["export", "declare", "local", "readonly", "typeset"]);

function runBuiltin(program: string, args: readonly Argument[], scope: Scope, reader: ScriptReader): void {
  if (program === "cd" || program === "chdir" || program === "pushd" || program === "set-location")
    enterFolder(scope, args.find(({ text }) => !text.startsWith("-") || text === "-")?.text);
  else if (program === "popd") scope.folder = null;
  else if (program === "unset") for (const { text } of args) scope.variables.set(text, [plainArgument("")]);
  else if (program === "read" || program === "mapfile")
    for (const { text } of args) scope.variables.delete(text);
  else if (declaring.has(program)) {
    for (const arg of args) {
      const at = arg.text.indexOf("=");
      if (at > 0) scope.variables.set(arg.text.slice(0, at), [{ ...arg, text: arg.text.slice(at + 1) }]);
    }
  } else if (program === "alias") {
    for (const { text } of args) {
      const at = text.indexOf("=");
      if (at > 0) reader.read(text.slice(at + 1), inside(scope, "alias", null), noInput);
    }
  } else if (program === "trap") {
    const [script] = args;
    if (script !== undefined && args.length > 1)
      reader.read(script.text, inside(scope, "trap", null), noInput);
  }
}

function runInner(program: string, args: readonly Argument[], running: Running): Ran | null {
  const { reader, scope, input } = running;
  if (program === "pwsh" || program === "powershell" || program === "cmd")
    return runWindows(program, args, running);
  const opened = openWrapper(program, args, input.text);
  if (opened !== null) {
    const own = inside(scope, program, opened.place);
    if (opened.folder !== null) enterFolder(own, opened.folder);
    if (opened.kind === "script")
      return opened.scripts.map(({ text }) => reader.read(text, own, input)).at(-1) ?? null;
    for (const text of opened.assignments) {
      const at = text.indexOf("=");
      own.variables.set(text.slice(0, at), [plainArgument(text.slice(at + 1))]);
    }
    return runWords(opened.words, [], { ...running, scope: own, outer: own });
  }
  if (shells.has(program)) return runShellInput(program, args, running);
  const file = scriptFile(program, args);
  if (file.length > 0) {
    const own = inside(scope, program, null);
    return runWords(file, [], { ...running, scope: own, outer: own });
  }
  const code = codeOf(program, args, input.text);
  if (code === null) return null;
  const { scripts, calls } = readInlineCode(code);
  const own = inside(scope, program, null);
  for (const script of scripts) reader.read(script, own, noInput);
  const { folder, place, via, shown } = own;
  const usual = {
    redirections: [],
    from: [],
    runs: [],
    input: null,
    via,
    folder,
    place,
    shown,
    isGuess: reader.isGuess,
  };
  for (const call of calls) reader.add({ ...usual, ...call });
  return null;
}

/** A shell without a script reads its input, or a file that is a substitution's output. */
function runShellInput(
  program: string,
  args: readonly Argument[],
  { reader, scope, input }: Running,
): Ran | null {
  const isInput = args.every(({ text }) => text.startsWith("-") || text === "/dev/stdin");
  return isInput && input.text !== null
    ? reader.read(input.text, inside(scope, program, null), noInput)
    : null;
}

function runWindows(program: string, args: readonly Argument[], { reader, scope }: Running): Ran | null {
  const texts = args.map(({ text }) => text);
  const isCmd = program === "cmd";
  const at = texts.findIndex((text) =>
    (isCmd ? /^\/[ck]$/iu : /^-(?:c|co.*|enc?|e|ec|encodedcommand)$/iu).test(text),
  );
  if (at === -1) return null;
  const rest = texts.slice(at + 1).join(" ");
  const isEncoded = /^-e/iu.test(texts[at] ?? "");
  const script = isEncoded ? Buffer.from(rest, "base64").toString("utf16le") : rest;
  const language: LooseLanguage = isCmd ? "cmd" : "powershell";
  const via = [...scope.via, program];
  const context = { ...scope.context, folder: scope.folder };
  for (const each of looseInvocations(script, language, context, { isGuess: reader.isGuess, via }))
    reader.add({ ...each, place: scope.place, shown: lesserShown(scope.shown, each.shown) });
  return null;
}

const remoteContext: ShellContext = { folder: "~", home: "~", project: null, temporary: "/tmp" };
const containerContext: ShellContext = { folder: null, home: "/root", project: null, temporary: "/tmp" };

/** Returns the scope of what a wrapper runs. */
function inside(scope: Scope, program: string, place: Place | null): Scope {
  const via = [...scope.via, program];
  if (place === null || place === "here") return forkScope(scope, { via });
  const context = place === "remote" ? remoteContext : containerContext;
  return { ...forkScope(scope, { via, place, folder: context.folder }), context };
}

function printedText(
  program: string,
  args: readonly Argument[],
  input: string | null,
  scope: Scope,
): string | null {
  if (program === "find")
    return startPoints(args)
      .map((start) => `${start.replace(/\/$/u, "")}/\uFFFD\n`)
      .join("");
  return printedBy(program, args, input, { folder: scope.folder, project: scope.context.project });
}
