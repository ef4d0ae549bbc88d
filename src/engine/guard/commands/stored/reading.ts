import path from "node:path";
import type { Effort } from "../../effort.ts";
import { textSteps } from "../bounds.ts";
import { codeOption } from "../inline-code.ts";
import { inside, noInput, withParameters, type Running, type ScriptReader } from "../inner-scope.ts";
import { isUnknown, plainArgument, unknownText, type Argument } from "../invocation.ts";
import { enterFolder, type Scope } from "../scope.ts";
import { scriptFile } from "../script-sources.ts";
import { shells, sourcing } from "../wrappers.ts";
import { copiedFrom, writtenFile } from "../written-files.ts";
import { filesIn, storedRuns } from "./find-runs.ts";
import { modulesOf } from "./modules.ts";
import { hookRuns } from "./named-tasks.ts";
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
  const isDiskRead = scope.context.readScript !== undefined && scope.place === "here";
  if (!isDiskRead && scope.files.size === 0) return;
  runCompiled(command, running, ports);
  const texts = command.args.map(({ text }) => text);
  const runs = [
    ...storedRuns(command.called, command.program, command.args, input),
    ...hookRuns(command.program, texts, () => hooksFolder(scope)),
    ...inPath(command.called, scope),
  ];
  noteHooksFolder(command, scope);
  for (const run of runs) {
    // Of the files that a search finds, only one in its start folder is read.
    const names = scope.via.some((each) => searching.has(each))
      ? run.names.map((name) => name.replaceAll(`${unknownText}/`, "").replaceAll(unknownText, "*"))
      : run.names;
    const named = names.filter((name) => name !== "");
    const known = named.filter((name) => !isUnknown(name));
    const written = named.map((name) => writtenFile(scope, name)).find((file) => file !== null);
    const text = written?.text ?? null;
    if (text !== null && scope.effort.take(textSteps(text))) readWritten(run, text, command, running, ports);
    if (text !== null || !isDiskRead) continue;
    if (written === undefined) readFirst(run, known, command, running, ports);
    else {
      const copied = known.filter((name) => copiedFrom(scope, placeOf(name, scope) ?? "").length > 0);
      // The output of a substitution has no name of its own.
      const names = copied.length > 0 ? copied : filesIn(written.from);
      for (const name of names) readFirst(run, [name], command, running, ports);
    }
  }
}

/** Name under which a line's own setting for hooks is remembered, which no variable can have. */
const hooksSetting = "git core.hooksPath";

function noteHooksFolder({ program, args }: Command, { variables }: Scope): void {
  if (program !== "git" || args[0]?.text !== "config") return;
  const value = args[args.findIndex(({ text }) => /^core\.hookspath$/iu.test(text)) + 1];
  if (value !== undefined && value !== args[0]) variables.set(hooksSetting, [value]);
}

/** Returns the folder of hooks that the line or the repository has set. */
function hooksFolder({ variables, context: { project, readScript } }: Scope): string | null {
  const own = variables.get(hooksSetting)?.[0]?.text;
  if (own !== undefined) return own;
  const settings = project === null ? null : (readScript?.(`${project}/.git/config`)?.slice(0, 5000) ?? null);
  return (
    /^\s{0,20}hookspath\s{0,5}=\s{0,5}(?<folder>\S{1,200})\s*$/imu.exec(settings ?? "")?.groups?.["folder"] ??
    null
  );
}

/** Folders of programs in which a command line may write one, and run it. */
const usualPath = ["/usr/local/bin", "~/.local/bin", "~/bin"];

/** Returns a program in a folder that the command line has put into PATH, or that it has written itself. */
function inPath(called: string, { variables, files }: Scope): readonly StoredRun[] {
  if (called === "" || /[/\\]/u.test(called)) return [];
  const set = variables
    .get("PATH")?.[0]
    ?.text.split(":")
    .filter((folder) => folder !== "" && !isUnknown(folder));
  const folders = [...(set ?? []), ...(files.size > 0 ? usualPath : [])];
  if (folders.length === 0) return [];
  const names = folders.map((folder) => `${folder}/${called}`);
  return [{ names, part: "", language: "by-first-line", isWhole: true, scripts: (text) => [text] }];
}

/** Reads the first of these names that the disk has, or what its content was copied or made from. */
function readFirst(
  run: StoredRun,
  names: readonly string[],
  command: Command,
  running: Running,
  ports: StoredPorts,
): void {
  const { scope } = running;
  const { readScript = () => null, isOwnScript = () => false } = scope.context;
  for (const name of names) {
    let isFound = false;
    for (const place of placesOf(name, scope)) {
      const key = `${place}\0${run.part}`;
      if (running.reader.hasRead(key)) {
        isFound = true;
        continue;
      }
      if (!scope.effort.take(1)) return;
      const text = readScript(place);
      if (text === null) continue;
      isFound = true;
      // A module is read only as far as its own definitions: the rest says little about the call.
      const isOwn = run.isModule !== true && isOwnScript(place);
      const readIt = (reader: ScriptReader, effort: Effort): void => {
        const own = { ...inside(scope, command.program, null), effort };
        if (run.isInOwnFolder === true) enterFolder(own, path.posix.dirname(place));
        const stored = { reader, scope: own, outer: running.outer, input: noInput };
        read({ ...run, place }, text, command, stored, { ...ports, isStored: !isOwn });
      };
      running.reader.readApart(key, readIt, { isOwn, isCut: text.length >= maxLength });
    }
    if (isFound) return;
  }
}

/** Length of a script from which its end is not known. Characters. */
const maxLength = 60_000;
/** Maximum files of a pattern, which a loop may run one after the other. */
const maxMatching = 8;
/** Steps for comparing a folder's names with a pattern, and for listing its folders. */
const [patternSteps, folderSteps] = [200, 40];
/** Maximum copies of copies. */
const maxCopySteps = 3;

/** Returns the places of the content that a name stands for. */
function placesOf(name: string, scope: Scope): readonly string[] {
  const place = placeOf(name, scope);
  if (place === null) return [];
  let places: readonly string[] = matching(place, scope);
  for (let step = 0; scope.copies.length > 0 && step < maxCopySteps; step += 1) {
    if (!scope.effort.take(scope.copies.length * places.length)) break;
    places = places.flatMap((each) => {
      const sources = copiedFrom(scope, each);
      return sources.length === 0 ? [each] : sources;
    });
  }
  return places;
}

/** Returns the files that a pattern for names in one folder stands for. */
function matching(place: string, { context: { namesIn }, effort }: Scope): readonly string[] {
  const { dir, base } = path.posix.parse(place);
  if (namesIn === undefined || !/[*?]/u.test(place)) return [place];
  if (dir.endsWith("/*") && !/[*?]/u.test(base + dir.slice(0, -1)) && effort.take(folderSteps))
    return namesIn(dir.slice(0, -2))
      .slice(0, maxMatching)
      .map((name) => `${dir.slice(0, -1)}${name}/${base}`);
  if (/[*?]/u.test(dir) || !effort.take(patternSteps)) return [place];
  return namesIn(dir)
    .filter((name) => path.posix.matchesGlob(name, base))
    .slice(0, maxMatching)
    .map((name) => `${dir}/${name}`);
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
  const isShell =
    run.language === "by-first-line" && languageOf(text) === "shell" && command.called.includes("/");
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
  run: StoredRun & { readonly place?: string },
  text: string,
  command: Command,
  running: Running,
  ports: StoredPorts & { readonly isStored: boolean },
): void {
  const { place = null } = run;
  for (const script of run.scripts(text, besides(place, running.scope))) {
    const language = run.language === "by-first-line" ? languageOf(script) : run.language;
    if (language === "powershell") ports.powershell(script, command.program, running);
    else if (language !== "shell") {
      const { interpreter } = language;
      if (!isRead(interpreter)) continue;
      ports.code(script, interpreter, running, ports.isStored);
      const folder = place === null ? running.scope.folder : path.posix.dirname(place);
      readModules(script, { interpreter, folder }, running, ports);
    } else {
      const isSourced = sourcing.has(command.program);
      const name = run.isWhole === true && place !== null ? plainArgument(place) : undefined;
      const own = withParameters(running.scope, parametersOf(command), isSourced ? undefined : name);
      if (name !== undefined) own.variables.set("BASH_SOURCE", [name]);
      running.reader.read(script, own, noInput);
      if (isSourced) defineIn(running.outer, own, running.scope);
    }
  }
}

/** Reads a file that another one includes; null where files are not read. */
function besides(
  place: string | null,
  { folder, context: { readScript } }: Scope,
): (name: string) => string | null {
  if (readScript === undefined || place === null) return () => null;
  const read = (name: string, base: string) => readScript(path.posix.resolve(base, name));
  // Make starts from its own folder, others from the file's.
  return (name) =>
    isUnknown(name)
      ? null
      : (read(name, path.posix.dirname(place)) ?? (folder === null ? null : read(name, folder)));
}

/** Reads the modules of the project that an interpreter's code loads. */
export function readModules(
  code: string,
  { interpreter, folder }: { readonly interpreter: string; readonly folder: string | null },
  running: Running,
  ports: StoredPorts,
): void {
  const { readScript } = running.scope.context;
  if (readScript === undefined || folder === null || running.scope.place !== "here") return;
  const command = { called: interpreter, program: interpreter, args: [] };
  for (const names of modulesOf(code, interpreter)) {
    // A large program's modules are too many: what it does is in no single one.
    if (running.scope.effort.isThirdTaken) return;
    const places = names.map((name) => path.posix.resolve(folder, name));
    const run: StoredRun = {
      names,
      part: "",
      language: { interpreter },
      isWhole: true,
      isModule: true,
      scripts: (text) => [text],
    };
    readFirst(run, places, command, running, ports);
  }
}

/** Programs that run a command on the files that they find. */
const searching = new Set(["find", "fd", "fdfind"]);

/** Variables of the script itself. */
const ownVariable = /^(?:\d+|[@*]|BASH_SOURCE)$/u;

/** Defines a script's functions and variables in the shell that has read it. */
function defineIn(outer: Scope, { functions, variables }: Scope, before: Scope): void {
  if (!outer.effort.take(functions.size + variables.size)) return;
  for (const [name, body] of functions) outer.functions.set(name, body);
  for (const [name, values] of variables)
    if (!ownVariable.test(name) && before.variables.get(name) !== values) outer.variables.set(name, values);
}

/** Interpreters without an option for code. */
const others = new Set([
  "tsx",
  "ts-node",
  "deno",
  "bun",
  "awk",
  "gawk",
  "mawk",
  "nawk",
  "go",
  "rust",
  "java",
  "swift",
]);
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
