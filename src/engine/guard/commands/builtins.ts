import type { Effort } from "../effort.ts";
import { joinPair, maxFields } from "./expand.ts";
import { plainArgument, unknownPart, type Argument } from "./invocation.ts";
import { inside, noInput, type Input, type Running, type ScriptReader } from "./inner-scope.ts";
import { textSteps } from "./bounds.ts";
import { printedBy } from "./known-output.ts";
import { enterFolder, popFolder, pushFolder, type Scope } from "./scope.ts";
import { isCommandVariable } from "./scripts/in-options.ts";
import { wordsWithin } from "./programs/typical-words.ts";

const declaring = new Set(["export", "declare", "local", "readonly", "typeset"]);
const listing = new Set(["mapfile", "readarray"]);

/** Applies the effects of a builtin on its shell: folder, variables, aliases and traps. */
export function runBuiltin(
  program: string,
  args: readonly Argument[],
  { outer: scope, reader, input }: Pick<Running, "outer" | "reader" | "input">,
): void {
  if (program === "cd" || program === "chdir" || program === "set-location")
    enterFolder(scope, args.find(({ text }) => !text.startsWith("-") || text === "-")?.text);
  else if (program === "pushd") pushFolder(scope, args.find(({ text }) => text !== "-n")?.text);
  else if (program === "popd") popFolder(scope);
  else if (program === "unalias") for (const { text } of args) scope.aliases.delete(text);
  else if (program === "unset") for (const { text } of args) scope.variables.set(text, [plainArgument("")]);
  else if (program === "read") readVariables(args, scope, input);
  else if (listing.has(program)) readLines(args, scope, input);
  else if (program === "printf" && args[0]?.text === "-v") printVariable(args, scope);
  else if (program === "set") setParameters(args, scope);
  else if (declaring.has(program)) {
    for (const arg of args) {
      const at = arg.text.indexOf("=");
      if (at < 1) continue;
      const [name, text] = [arg.text.slice(0, at), arg.text.slice(at + 1)];
      scope.variables.set(name, [{ ...arg, text }]);
      readCommandVariable(name, text, scope, reader);
    }
  } else if (program === "alias") {
    for (const { text } of args) {
      const at = text.indexOf("=");
      if (at <= 0) continue;
      const [name, value] = [text.slice(0, at), text.slice(at + 1)];
      reader.read(value, inside(scope, "alias", null), noInput);
      scope.aliases.set(name, value);
    }
  } else if (program === "trap") {
    const [script] = args;
    if (script !== undefined && args.length > 1)
      reader.read(script.text, inside(scope, "trap", null), noInput);
  }
}

/** Reads the value of a variable that programs give to a shell, such as PAGER. */
export function readCommandVariable(name: string, text: string, scope: Scope, reader: ScriptReader): void {
  // A program's name alone is usually an editor or pager.
  if (isCommandVariable(name) && /\S\s/u.test(text)) reader.read(text, inside(scope, name, null), noInput);
}

/** Options of `read` that take the next word. */
const valued = new Set(["-d", "-i", "-n", "-N", "-p", "-t", "-u", "-c", "-C", "-O", "-s"]);

/** Options of `mapfile` that take the next word. */
const valuedInList = new Set(["-d", "-n", "-O", "-s", "-u", "-C", "-c"]);
/** Maximum lines of an array. With more, typical ones represent all. */
const maxLines = { whole: 50, typical: 200 };

/** `printf -v NAME` assigns its text to a variable. */
function printVariable([, name, ...words]: readonly Argument[], scope: Scope): void {
  if (name === undefined || !scope.effort.take(words.reduce((sum, { text }) => sum + textSteps(text), 1)))
    return;
  const text = printedBy("printf", words, null, { ...scope.context, folder: scope.folder }) ?? unknownPart;
  const from = words.flatMap((word) => word.from);
  scope.variables.set(name.text, [{ text, isPattern: false, from }]);
}

/** Assigns the lines of the input to an array. */
function readLines(args: readonly Argument[], scope: Scope, input: Input): void {
  const names = args.filter(
    ({ text }, at) => !text.startsWith("-") && !valuedInList.has(args[at - 1]?.text ?? ""),
  );
  const name = names[0]?.text ?? "MAPFILE";
  const from = [`$${name}`, ...input.from];
  const lines = input.text?.split("\n").filter((line) => line !== "") ?? [];
  const known = lines.length === 0 ? [unknownPart] : lines;
  const first = wordsWithin(known.map(plainArgument), maxLines, scope.effort);
  scope.variables.set(
    name,
    first.map(({ text }) => ({ text, isPattern: false, from })),
  );
}

/** Assigns the words of the input's first line to variables; the last one takes the rest. */
function readVariables(args: readonly Argument[], scope: Scope, input: Input): void {
  const names = args
    .filter(({ text }, at) => !text.startsWith("-") && !valued.has(args[at - 1]?.text ?? ""))
    .map(({ text }) => text);
  const [line] = input.text?.split("\n") ?? [];
  const words = line?.trim().split(/[ \t]+/u) ?? [];
  const list = args.findIndex(({ text }) => /^-[a-z]*a$/u.test(text));
  const array = list === -1 ? undefined : args[list + 1]?.text;
  if (array !== undefined && line !== undefined && scope.effort.take(words.length)) {
    const from = [`$${array}`, ...input.from];
    const elements = words.slice(0, maxFields).map((text) => ({ text, isPattern: false, from }));
    scope.variables.set(array, elements);
    return;
  }
  for (const [index, name] of (names.length === 0 ? ["REPLY"] : names).entries()) {
    const isLast = index === names.length - 1;
    const text = isLast ? words.slice(index).join(" ") : (words[index] ?? "");
    // In lines `NAME=value`, the first word is the name.
    const isName = names.length > 1 && index === 0;
    const from = [`$${name}`, ...(isName ? [] : input.from)];
    scope.variables.set(name, [{ text: line === undefined ? unknownPart : text, isPattern: false, from }]);
  }
}

/** `set -- a b` sets a shell's parameters. */
function setParameters(args: readonly Argument[], scope: Scope): void {
  const at = args.findIndex(({ text }) => text === "--");
  if (at === -1) return;
  const given = args.slice(at + 1);
  for (const [index, arg] of given.entries()) scope.variables.set(String(index + 1), [arg]);
  scope.variables.set("@", given);
  scope.variables.set("*", given);
}

/** Returns a variable's elements with appended values. A text is joined to a text. */
export function joinValues(
  before: readonly Argument[],
  added: readonly Argument[],
  { isText, effort }: { readonly isText: boolean; readonly effort: Effort },
): readonly Argument[] {
  if (before.length + added.length > maxFields) effort.leaveOut();
  const [first, second] = [before[0], added[0]];
  return isText && before.length === 1 && first !== undefined && second !== undefined
    ? [joinPair(first, second)]
    : [...before, ...added].slice(0, maxFields);
}
