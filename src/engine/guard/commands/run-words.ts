import { textSteps } from "./bounds.ts";
import { readCommandVariable, runBuiltin } from "./builtins.ts";
import { foundFiles } from "./found-files.ts";
import { fittingProgram } from "./glob-names.ts";
import { codeOf, decodedSources, maxCodeLength, readInlineCode } from "./inline-code.ts";
import {
  inside,
  leftOut,
  noInput,
  nothingRan,
  withParameters,
  type Input,
  type Ran,
  type Running,
} from "./inner-scope.ts";
import {
  cutPart,
  isCut,
  isUnknown,
  plainArgument,
  programName,
  unknownPart,
  type Argument,
  type Redirection,
} from "./invocation.ts";
import { printedBy } from "./known-output.ts";
import { looseInvocations } from "./loose.ts";
import { openWrapper } from "./open-wrapper.ts";
import {
  followLinks,
  mountVolumes,
  placeOfFiles,
  rememberLinks,
  throughLinks,
} from "./programs/linked-paths.ts";
import { listedWhole, secretSources } from "./programs/output-labels.ts";
import { throughRemotes, withConfig, plainCommand } from "./programs/plain-command.ts";
import { typicalWords } from "./programs/typical-words.ts";
import { bareInvocation, enterFolder, environmentOf, type Scope } from "./scope.ts";
import { scriptFile, scriptSources } from "./script-sources.ts";
import { databaseCalls, databaseText } from "./scripts/database-calls.ts";
import { optionScripts } from "./scripts/in-options.ts";
import { shellScript, writersOfScript } from "./scripts/of-shell.ts";
import { type LooseLanguage, windowsScript } from "./scripts/of-windows.ts";
import { withGivenTexts } from "./scripts/plain-code.ts";
import { afterRedirections, lesserShown } from "./shown.ts";
import { readModules, runStored, type StoredPorts } from "./stored/reading.ts";
import { readersOf, rememberWritten, textOf, withCopied, writtenText } from "./written-files.ts";

/** Runs a command's words: a function, a builtin that changes the shell, a wrapper, or a program. */
export function runWords(
  words: readonly Argument[],
  redirections: readonly Redirection[],
  { reader, scope, outer, input }: Running,
): Ran {
  const [name, ...given] = words;
  if (name === undefined) return nothingRan;
  if (scope.depth > maxDepth) return leftOut(scope.effort);
  if (!scope.effort.take(runningSteps(words, input))) return nothingRan;
  const body = scope.functions.get(name.text);
  if (body !== undefined)
    return reader.callFunction(body, withParameters(scope, withCopied(given, scope)), input);
  const alias = scope.aliases.get(name.text);
  if (alias !== undefined) {
    const own = withParameters(scope, withCopied(given, scope));
    // Within an alias, its own name is the program.
    own.aliases.delete(name.text);
    return reader.read(`${alias} "$@"`, own, input);
  }
  const { program, args: own } = plainCommand(programOf(name), given);
  const named = throughRemotes(program, withConfig(program, own, input.text, scope.effort), scope);
  const args = withCopied(throughLinks(program, named, scope), scope);
  runBuiltin(program, args, { outer, reader, input });
  rememberLinks(program, args, scope);
  const { folder, via } = scope;
  const place = placeOfFiles(program, own, args, scope);
  // A command with an unknown name runs a program's output, whatever folder is before the name.
  const isPrinted = isUnknownName(name.text) && name.from.some((source) => !source.startsWith("$"));
  const runs = isPrinted
    ? name.from
    : [...scriptSources(program, args, input), ...writersOfScript(name.text, program, args, scope)];
  const shown = afterRedirections(scope.shown, redirections);
  const environment = environmentOf(scope);
  const statements = databaseText(program, args, input.text, scope);
  const text = statements === null ? input.text : `${input.text ?? ""};\n${statements}`;
  const read = { environment, redirections, from: input.from, input: text, runs, shown };
  const known = isPrinted ? "eval" : program;
  reader.add({ program: known, args, ...read, via, folder, place, isGuess: reader.isGuess });
  const innerScope = shown === scope.shown ? scope : { ...scope, shown };
  const inner = runInner(name.text, program, args, { reader, scope: innerScope, outer, input });
  const printed = inner?.text ?? printedText(program, args, input.text, scope);
  const writing = {
    program,
    args,
    redirections,
    output: { text: printed, from: [program, ...input.from] },
    input,
  };
  rememberWritten(scope, writing);
  for (const each of readersOf(scope, writing))
    reader.read(each.script, inside(scope, program, null), each.input);
  return {
    programs: [
      program,
      ...secretSources(program, args),
      ...listedWhole(program, args),
      ...decodedSources(program, args, input.text),
      ...filesOf(program, args, redirections),
      ...(inner?.programs ?? []),
    ],
    text: printed,
  };
}

/** Label of texts that inline code wrote. */
const codeWriter = "inline-code";
/** Characters of words that are read in one step. */
const charactersPerStep = 64;
/** Characters of inline code that are read in the time of one step. */
const codePerStep = 3;
/** Length of a stored text from which it is a program rather than a script for one purpose. Characters. */
const maxScriptLength = 5000;
/** Steps for a shell call in inline code. */
const callSteps = 40;

function runningSteps(words: readonly Argument[], { from, text }: Input): number {
  const size = words.reduce((sum, word) => sum + word.text.length + word.from.length * charactersPerStep, 0);
  return words.length + from.length + Math.floor(size / charactersPerStep) + textSteps(text);
}

/** Maximum depth of commands within commands. */
const maxDepth = 14;

/** Returns the program that a word names. An unknown part may be empty, and a pattern stands for a matching name. */
function programOf({ text, isPattern }: Argument): string {
  const known = text.replaceAll(unknownPart, "");
  const program = programName(known === "" ? text : known);
  return isPattern ? (fittingProgram(program) ?? program) : program;
}

/** Tests whether only the shell knows a program's name, apart from its folder. */
const isUnknownName = (text: string): boolean => isUnknown(text.slice(text.lastIndexOf("/") + 1));

/** Programs that do not print the files in their words. */
const namesOnly = new Set("echo printf ls find test [ wc stat basename dirname export".split(" "));
/** Maximum files of one command. With more, typical ones represent all. */
const maxFiles = 20;

/** Returns the files that a command may have printed. */
function filesOf(
  program: string,
  args: readonly Argument[],
  redirections: readonly Redirection[],
): readonly string[] {
  if (program === "echo" || program === "printf") {
    const sources = args.flatMap(({ from }) => from.filter((source) => !source.startsWith("$")));
    return within(sources.map(plainArgument)).map(({ text }) => text);
  }
  if (namesOnly.has(program)) return [];
  const words = args.filter(({ text }) => text !== "" && !text.startsWith("-") && text.length < 300);
  const read = redirections.filter(({ kind }) => kind === "read").map(({ target }) => target);
  return within([...read, ...words]).map(({ text }) => (text === cutPart ? text : `<${text}`));
}

/** Returns typical words. With too many, the last one marks the cut. */
function within(words: readonly Argument[]): readonly Argument[] {
  const typical = words.length > maxFiles ? typicalWords(words) : words;
  return typical.length > maxFiles ? [...typical.slice(0, maxFiles), plainArgument(cutPart)] : typical;
}

const storedPorts: StoredPorts = {
  // Statements in a person's programs do not show what the agent wants.
  code: (code, interpreter, own, isStored) => runCode(code, interpreter, own, { isStored }),
  powershell: (script, name, own) =>
    runLoosely(script, "powershell", { ...own, scope: inside(own.scope, name, null) }),
};

function runInner(called: string, program: string, args: readonly Argument[], running: Running): Ran | null {
  const { reader, scope, input } = running;
  for (const script of optionScripts(program, args, input.text))
    reader.read(script, inside(scope, program, null), noInput);
  runStored({ called, program, args }, running, storedPorts);
  const windows = windowsScript(
    program,
    args.map(({ text }) => text),
    input.text,
  );
  if (windows !== null) {
    runLoosely(windows.text, windows.language, { reader, scope: inside(scope, program, null) });
    if (program !== "nu") return null;
  }
  const opened = openWrapper(program, args, input, scope);
  if (opened !== null) {
    const own = inside(scope, program, opened.place);
    if (opened.place === "container") mountVolumes(program, args, scope, own);
    if (opened.folder !== null) enterFolder(own, followLinks(opened.folder, own, "whole"));
    if (opened.kind === "script") {
      const [name, ...parameters] = opened.parameters;
      const inner = name === undefined ? own : withParameters(own, parameters, name);
      return opened.scripts.map(({ text }) => reader.read(text, inner, input)).at(-1) ?? null;
    }
    for (const text of opened.assignments) {
      const at = text.indexOf("=");
      const [name, value] = [text.slice(0, at), text.slice(at + 1)];
      own.variables.set(name, [plainArgument(value)]);
      readCommandVariable(name, value, own, reader);
    }
    return runWords(opened.words, [], { ...running, scope: own, outer: own });
  }
  const script = shellScript(called, program, args, running);
  if (script !== null) {
    const own = withParameters(inside(scope, program, null), script.parameters, script.name);
    return reader.read(script.text, own, noInput);
  }
  const file = scriptFile(program, args);
  if (file.length > 0) {
    const written = writtenText(scope, file[0]?.text ?? "");
    if (written !== null) return runCode(written, program, running);
    const own = inside(scope, program, null);
    return runWords(file, [], { ...running, scope: own, outer: own });
  }
  const code = codeOf(program, args, input.text);
  if (code === null) return null;
  const size = textSteps(code) + textSteps(input.text);
  if (!scope.effort.take(size)) return null;
  readModules(code, { interpreter: program, folder: scope.folder }, running, storedPorts);
  return runCode(withGivenTexts(code, program, { args, scope, input }), program, running);
}

/** Runs the deletions, writes, shell calls and database calls of an interpreter's code. */
function runCode(
  code: string,
  program: string,
  { reader, scope }: Running,
  { isStored } = { isStored: false },
): null {
  if (isCut(code) || code.length > maxCodeLength) scope.effort.leaveOut();
  // Each kind of call is searched for separately.
  const calls = code.split("system").length - 1;
  if (!scope.effort.take(Math.ceil(code.length / codePerStep) + calls * callSteps)) return null;
  const isProgram = isStored && code.length > maxScriptLength;
  const { scripts, calls: made } = readInlineCode(code, program, { isProgram });
  const own = inside(scope, program, null);
  for (const script of scripts) reader.read(script, own, noInput);
  const bare = bareInvocation(own, reader.isGuess);
  const clients = isStored ? [] : databaseCalls(code);
  for (const call of [...made, ...clients]) {
    reader.add({ ...bare, ...call });
    const written = { text: null, from: [codeWriter] };
    const { program: does, args } = call;
    if (does === "tee")
      rememberWritten(scope, { program: does, args, redirections: [], output: written, input: written });
  }
  return null;
}

/** Reads a script by words, and opens its wrappers. */
export function runLoosely(
  script: string,
  language: LooseLanguage,
  { reader, scope }: Pick<Running, "reader" | "scope">,
): null {
  if (scope.depth > maxDepth) {
    scope.effort.leaveOut();
    return null;
  }
  const context = { ...scope.context, folder: scope.folder };
  const options = { isGuess: reader.isGuess, via: scope.via, effort: scope.effort, opensShells: false };
  for (const each of looseInvocations(script, language, context, options)) {
    reader.add({ ...each, place: scope.place, shown: lesserShown(scope.shown, each.shown) });
    const input = { from: each.from, text: each.input };
    runInner(each.program, each.program, each.args, { reader, scope, outer: scope, input });
  }
  return null;
}

function printedText(
  program: string,
  args: readonly Argument[],
  input: string | null,
  scope: Scope,
): string | null {
  if (program === "find")
    return foundFiles(program, args, scope)
      .map(({ text }) => `${text}\n`)
      .join("");
  const { effort } = scope;
  if (program === "cat") {
    const texts = args.map(({ text }) => textOf(scope, text));
    const size = texts.reduce((sum, text) => sum + textSteps(text), 0);
    if (texts.length > 0 && texts.every((text) => text !== null))
      return effort.take(size) ? texts.join("") : null;
  }
  const size = args.reduce((sum, { text }) => sum + textSteps(text), textSteps(input));
  if (!effort.take(size)) return null;
  const { project, temporary } = scope.context;
  return printedBy(program, args, input, { folder: scope.folder, project, temporary });
}
