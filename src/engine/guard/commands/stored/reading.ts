import path from "node:path";
import { textSteps } from "../bounds.ts";
import { codeOption } from "../inline-code.ts";
import { inside, noInput, withParameters, type Running } from "../inner-scope.ts";
import { isUnknown, unknownText, type Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";
import { scriptFile } from "../script-sources.ts";
import { shells, sourcing } from "../wrappers.ts";
import { writtenFile } from "../written-files.ts";
import { storedRuns } from "./find-runs.ts";
import { languageOf, type StoredRun } from "./run-stored.ts";

/** Runs code of an interpreter, or a text of PowerShell. */
export interface StoredPorts {
  /** @param isStored whether the code is in a file that the command line has not written */
  readonly code: (code: string, program: string, running: Running, isStored: boolean) => void;
  readonly powershell: (script: string, program: string, running: Running) => void;
}

interface Command {
  readonly called: string;
  readonly program: string;
  readonly args: readonly Argument[];
}

/**
 * Reads the scripts that a command runs: those that the command line has written, and stored ones, which have a separate effort.
 */
export function runStored(command: Command, running: Running, ports: StoredPorts): void {
  const { scope, input } = running;
  const { readScript } = scope.context;
  const isDiskRead = readScript !== undefined && scope.place === "here";
  if (!isDiskRead && scope.files.size === 0) return;
  runCompiled(command, running, ports);
  for (const run of storedRuns(command.called, command.program, command.args, input)) {
    // Of the files that a search finds, only one in its start folder is read.
    const names = scope.via.some((each) => searching.has(each))
      ? run.names.map((name) => name.replaceAll(`${unknownText}/`, ""))
      : run.names;
    const named = names.filter((name) => name !== "");
    const known = named.filter((name) => !isUnknown(name));
    const written = named.map((name) => writtenFile(scope, name)).find((file) => file !== null);
    if (written?.text !== undefined && written.text !== null && scope.effort.take(textSteps(written.text)))
      readWritten(run, written.text, command, running, ports);
    if (written !== undefined || !isDiskRead) continue;
    for (const name of known) {
      const place = placeOf(name, scope);
      const text = place === null ? null : readScript(place);
      if (place === null || text === null) continue;
      running.reader.readApart(`${place}\0${run.part}`, (reader, effort) => {
        const own = { ...inside(scope, command.program, null), effort };
        const stored = { reader, scope: own, outer: running.outer, input: noInput };
        read(run, text, command, stored, { ...ports, isStored: true });
      });
      break;
    }
  }
}

/** Reads a file that the command line has written, unless another reader of scripts does. */
function readWritten(
  run: StoredRun,
  text: string,
  command: Command,
  running: Running,
  ports: StoredPorts,
): void {
  const { program, args } = command;
  const isReadElsewhere =
    shells.has(program) ||
    sourcing.has(program) ||
    scriptFile(program, args).length > 0 ||
    program === "eval";
  const isShell = run.language === "by-first-line" && languageOf(text) === "shell";
  if (run.isWhole === true && (isReadElsewhere || isShell)) return;
  const own = { ...running, scope: inside(running.scope, program, null), input: noInput };
  read(run, text, command, own, { ...ports, isStored: false });
}

/** Compilers: the command line likely runs the program after writing and compiling its code. */
const compilers = new Set(
  "cc gcc g++ c++ clang clang++ rustc javac kotlinc swiftc tcc zig go nim ghc".split(" "),
);

function runCompiled({ program, args }: Command, running: Running, ports: StoredPorts): void {
  if (!compilers.has(program)) return;
  for (const { text: name } of args) {
    const text = name.startsWith("-") ? null : writtenFile(running.scope, name)?.text;
    if (text !== null && text !== undefined) ports.code(text, program, running, false);
  }
}

function read(
  run: StoredRun,
  text: string,
  command: Command,
  running: Running,
  ports: StoredPorts & { readonly isStored: boolean },
): void {
  for (const script of run.scripts(text)) {
    const language = run.language === "by-first-line" ? languageOf(script) : run.language;
    if (language === "powershell") ports.powershell(script, command.program, running);
    else if (language !== "shell") {
      if (isRead(language.interpreter)) ports.code(script, language.interpreter, running, ports.isStored);
    } else {
      const own = withParameters(running.scope, parametersOf(command));
      running.reader.read(script, own, noInput);
      if (sourcing.has(command.program)) defineIn(running.outer, own);
    }
  }
}

/** Programs that run a command on the files that they find. */
const searching = new Set(["find", "fd", "fdfind"]);

/** Defines a script's functions in the shell that has read it. */
function defineIn(outer: Scope, { functions }: Scope): void {
  if (!outer.effort.take(functions.size)) return;
  for (const [name, body] of functions) outer.functions.set(name, body);
}

/** Interpreters without an option for code. */
const others = new Set(["tsx", "ts-node", "deno", "bun", "awk", "gawk", "mawk", "nawk", "go"]);
const isRead = (interpreter: string): boolean => codeOption(interpreter) !== null || others.has(interpreter);

/** Returns a script's parameters: the words after its name. */
function parametersOf({ called, args }: Command): readonly Argument[] {
  if (/[/\\]/u.test(called) && !/\/(?:ba|da|z|k)?sh$/u.test(called)) return args;
  return args.slice(args.findIndex(({ text }) => !text.startsWith("-")) + 1);
}

function placeOf(name: string, { folder, context }: Scope): string | null {
  const file = /^~(?:[/\\]|$)/u.test(name) ? context.home + name.slice(1) : name;
  const base = folder ?? "";
  const isWindows = path.win32.isAbsolute(base) && !path.posix.isAbsolute(base);
  const paths = isWindows ? path.win32 : path.posix;
  if (!paths.isAbsolute(file) && !paths.isAbsolute(base)) return null;
  return paths.resolve(base, file);
}
