import path from "node:path";
import { codeOption } from "../inline-code.ts";
import { isUnknown, unknownText, type Argument } from "../invocation.ts";
import { inside, noInput, withParameters, type Running } from "../inner-scope.ts";
import type { Scope } from "../scope.ts";
import { writtenFile } from "../written-files.ts";
import { storedRuns } from "./find-runs.ts";
import { languageOf, type StoredRun } from "./run-stored.ts";

/** Runs code of an interpreter, or a text of PowerShell. */
export interface StoredPorts {
  readonly code: (code: string, program: string, running: Running) => void;
  readonly powershell: (script: string, program: string, running: Running) => void;
}

/** The command that runs a file. */
interface Command {
  readonly called: string;
  readonly program: string;
  readonly args: readonly Argument[];
}

/** Reads the files on the disk that a command runs as scripts, each apart from the effort for the command line itself. */
export function runStored(command: Command, running: Running, ports: StoredPorts): void {
  const { scope, input } = running;
  const { readScript } = scope.context;
  if (readScript === undefined || scope.place !== "here") return;
  for (const run of storedRuns(command.called, command.program, command.args, input)) {
    // Of files that a search finds, the one in the folder where it begins is looked for.
    const names = scope.via.some((each) => searching.has(each))
      ? run.names.map((name) => name.replaceAll(`${unknownText}/`, ""))
      : run.names;
    const known = names.filter((name) => name !== "" && !isUnknown(name));
    // What the command line itself writes is read as it leaves it.
    if (known.some((name) => writtenFile(scope, name) !== null)) continue;
    for (const name of known) {
      const place = placeOf(name, scope);
      const text = place === null ? null : readScript(place);
      if (place === null || text === null) continue;
      running.reader.readApart(`${place}\0${run.part}`, (reader, effort) => {
        const own = { ...inside(scope, command.program, null), effort };
        read(run, text, command, { reader, scope: own, outer: running.outer, input: noInput }, ports);
      });
      break;
    }
  }
}

function read(run: StoredRun, text: string, command: Command, running: Running, ports: StoredPorts): void {
  for (const script of run.scripts(text)) {
    const language = run.language === "by-first-line" ? languageOf(script) : run.language;
    if (language === "powershell") ports.powershell(script, command.program, running);
    else if (language !== "shell") {
      if (isRead(language.interpreter)) ports.code(script, language.interpreter, running);
    } else {
      const own = withParameters(running.scope, parametersOf(command));
      running.reader.read(script, own, noInput);
      if (sourcing.has(command.program)) defineIn(running.outer, own);
    }
  }
}

/** Builtins that read a file's commands into their own shell. */
const sourcing = new Set(["source", "."]);
/** Programs that run a command on the files that they find. */
const searching = new Set(["find", "fd", "fdfind"]);

/** Defines the functions of a script in the shell that has read it. */
function defineIn(outer: Scope, { functions }: Scope): void {
  if (!outer.effort.take(functions.size)) return;
  for (const [name, body] of functions) outer.functions.set(name, body);
}

/** Interpreters without an option for code of their own. */
const others = new Set(["tsx", "ts-node", "deno", "bun", "awk", "gawk", "mawk", "nawk", "go"]);
const isRead = (interpreter: string): boolean => codeOption(interpreter) !== null || others.has(interpreter);

/** Returns the words that a script gets, as far as they are plain: those behind its name. */
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
