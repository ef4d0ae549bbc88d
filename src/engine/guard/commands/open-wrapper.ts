import type { Effort } from "../effort.ts";
import { ownValue } from "../own-value.ts";
import { foundFiles } from "./found-files.ts";
import { takesCode } from "./inline-code.ts";
import type { Input } from "./inner-scope.ts";
import { type Argument, type Place, plainArgument, unknownText } from "./invocation.ts";
import { wordsWithin } from "./programs/typical-words.ts";
import type { Scope } from "./scope.ts";
import { shells, wrappers, type Wrapper } from "./wrappers.ts";
import { isListing, listedInput } from "./written-files.ts";

/** The content of a wrapper: a script for a shell, or a command's words. */
export type Opened = { readonly place: Place | null; readonly folder: string | null } & (
  | {
      readonly kind: "script";
      readonly scripts: readonly Argument[];
      /** A shell's words after its script: `$0`, `$1`, and so on. */
      readonly parameters: readonly Argument[];
    }
  | { readonly kind: "words"; readonly words: readonly Argument[]; readonly assignments: readonly string[] }
);

/**
 * Returns what a wrapper runs by its command line; null for other programs.
 * @param given its input
 */
export function openWrapper(
  program: string,
  args: readonly Argument[],
  given: Input,
  scope: Scope,
): Opened | null {
  const { effort } = scope;
  if (program === "find" || program === "fd" || program === "fdfind") return openFind(program, args, scope);
  const input = isListing(program) ? listedInput(program, args, given, scope) : given;
  if (program === "parallel") {
    const given = openListed(args, effort);
    if (given !== null) return given;
  }
  const wrapper = ownValue(wrappers, program);
  return wrapper === undefined ? null : openBy(program, wrapper, args, { input, effort });
}

function openBy(
  program: string,
  wrapper: Wrapper,
  args: readonly Argument[],
  { input, effort }: { readonly input: Input | null; readonly effort: Effort },
): Opened | null {
  // After an option for code comes code, not a package's program.
  const isCode = wrapper.ownWords !== undefined && takesCode(program, args[0]?.text ?? "");
  const inner = isCode ? null : afterWords(wrapper, args);
  if (inner === null) return null;
  const place = wrapper.place ?? null;
  const { scripts, parameters, rest, assignments, folder } = readOptions(program, wrapper, inner);
  if (scripts.length > 0) return { kind: "script", scripts, parameters, place, folder };
  if (wrapper.needsScript === true) return null;
  const behind = rest.slice(wrapper.needsDashes === true ? 0 : (wrapper.operands ?? 0));
  const own = behind[0]?.text === "--" ? behind.slice(1) : behind;
  const words = program === "tmux" ? own.filter(({ text }) => !endingKeys.test(text)) : own;
  const [first, second] = words;
  if (first === undefined) {
    const isRead = wrapper.readsInput === true && rest.length > 0 && typeof input?.text === "string";
    const scripts = isRead ? [plainArgument(input.text)] : [];
    return isRead ? { kind: "script", scripts, parameters: [], place, folder } : null;
  }
  if (second !== undefined && wrapper.script?.includes(first.text) === true)
    return { kind: "script", scripts: [second], parameters: [], place, folder };
  if (wrapper.isEach === true) {
    const scripts = words.map((word) => ({
      ...word,
      text: word.text.replace(/^(npm|pnpm|yarn|bun):/u, "$1 run "),
    }));
    return { kind: "script", scripts, parameters: [], place, folder };
  }
  if (wrapper.isJoined === true || (wrapper.isScriptAlone === true && second === undefined))
    return { kind: "script", scripts: [joinWords(words)], parameters: [], place, folder };
  // A block of zsh after a wrapper.
  if (first.text === "{") {
    const block = words.slice(1, words.at(-1)?.text === "}" ? -1 : undefined);
    return { kind: "script", scripts: [joinWords(block)], parameters: [], place, folder };
  }
  const added =
    wrapper.addsWords === true ? withAdded(args, words, addedWords(args, input, effort), effort) : words;
  const isContainer = place === "container" && (wrapper.operands ?? 0) > 0;
  // A container for tests has a database for tests.
  const made = isContainer
    ? [rest[0]?.text ?? "", ...projectsOf(args)].find((name) => madeForTests.test(name))
    : null;
  const stage = typeof made === "string" ? [`CONTAINER_DB_NAME=${made}`] : [];
  return { kind: "words", words: added, assignments: [...assignments, ...stage], place, folder };
}

/** Returns the names of a compose project and its files, before the command in a container. */
function projectsOf(args: readonly Argument[]): readonly string[] {
  const end = args.findIndex(({ text }) => text === "exec" || text === "run");
  const before = args.slice(0, Math.max(end, 0)).map(({ text }) => text);
  return before.filter((_, at) => /^(?:-p|--project-name|-f|--file)$/u.test(before[at - 1] ?? ""));
}

/** Names of containers, projects and files for tests. */
const madeForTests = /^(?!.*(?:prod|live))(?:.*[_.-])?(?:tests?|testing|e2e|ci)(?:[_.-].*)?$/iu;

/** Keys of tmux that end a line. */
const endingKeys = /^(?:Enter|KPEnter|C-m|C-j)$/iu;

/** Maximum commands of parallel. With more, typical words represent all. */
const maxListed = { whole: 8, typical: 64 };

/** Opens the commands that parallel makes of the words after `:::`. Without a command, the words are commands. */
function openListed(args: readonly Argument[], effort: Effort): Opened | null {
  const at = args.findIndex(({ text }) => text === ":::" || text === ":::+");
  const listed = at === -1 ? [] : wordsWithin(args.slice(at + 1), maxListed, effort);
  if (listed.length === 0) return null;
  const own = { ...wrappers["parallel"], addsWords: false };
  const inner = openBy("parallel", own, args.slice(0, at), { input: null, effort });
  const words = inner?.kind === "words" ? inner.words : [];
  const isMarked = words.some(({ text }) => text.includes("{}"));
  const scripts = listed.map((item) => {
    if (words.length === 0) return item;
    const filled = filledWords(words, { marks: ["{}"], fillings: [item], effort });
    return joinWords(isMarked ? filled : [...filled, item]);
  });
  return { kind: "script", scripts, parameters: [], place: null, folder: null };
}

/** Returns the words after those that make the program a wrapper; null if these are missing. */
function afterWords(
  { words, ownWords, valued = "" }: Wrapper,
  args: readonly Argument[],
): readonly Argument[] | null {
  if (words === undefined) return args;
  const options = valued.split(" ");
  const at = skipOptions(args, 0, options);
  for (const choice of words) {
    const [first, second] = choice;
    if (args[at]?.text !== first) continue;
    if (second === undefined) return args.slice(at + 1);
    const next = skipOptions(args, at + 1, options);
    if (args[next]?.text === second) return args.slice(next + 1);
  }
  const word = args[at]?.text;
  if (ownWords !== undefined && word !== undefined && !ownWords.split(" ").includes(word))
    return args.slice(at);
  return null;
}

function skipOptions(args: readonly Argument[], begin: number, valued: readonly string[]): number {
  let at = begin;
  for (let text = args[at]?.text; text?.startsWith("-") === true && text !== "--"; text = args[at]?.text)
    at += valued.includes(text) ? 2 : 1;
  return at;
}

interface ReadOptions {
  readonly scripts: readonly Argument[];
  readonly parameters: readonly Argument[];
  readonly rest: readonly Argument[];
  readonly assignments: readonly string[];
  readonly folder: string | null;
}

const assignment = /^[A-Za-z_]\w*=/u;
/** Options with which a wrapper changes its folder. */
const folderOptions = new Set(["--chdir", "-D", "-C", "--workdir", "--dir"]);

function readOptions(program: string, wrapper: Wrapper, args: readonly Argument[]): ReadOptions {
  const { script = [], needsDashes, takesAssignments } = wrapper;
  const valued = (wrapper.valued ?? "").split(" ");
  const assignments: string[] = [];
  let folder: string | null = null;
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    if (text === "--") return { scripts: [], parameters: [], rest: args.slice(at + 1), assignments, folder };
    if (needsDashes === true) continue;
    const value = args[at + 1];
    if (takesAssignments === true && assignment.test(text)) assignments.push(text);
    else if (isScriptOption(text, script)) {
      const written = joinedValue(text, script);
      const found = written === null ? value : plainArgument(written);
      // Words after a shell's script are its parameters; words after the script of env are added to it.
      const all =
        found === undefined
          ? []
          : [
              program === "env" || program === "nix"
                ? joinWords([found, ...args.slice(at + 2).map(inQuotes)])
                : found,
            ];
      const parameters = shells.has(program) && found !== undefined ? args.slice(at + 2) : [];
      return { scripts: all, parameters, rest: [], assignments, folder };
    } else if (valued.includes(text) || endsWithValued(text, valued)) {
      if (folderOptions.has(text) && value !== undefined) folder = value.text;
      const isVariable = (text === "-e" || text === "--env") && wrapper.place === "container";
      if (isVariable && value !== undefined && assignment.test(value.text)) assignments.push(value.text);
      at += 1;
    } else if (!text.startsWith("-") && !text.startsWith("+") && wrapper.isLate !== true) break;
  }
  return {
    scripts: [],
    parameters: [],
    rest: needsDashes === true ? [] : args.slice(at),
    assignments,
    folder,
  };
}

/** Recognizes the option before a script, also at the end of several letters: `-lc`. */
function isScriptOption(text: string, script: readonly string[]): boolean {
  if (script.includes(text)) return true;
  if (joinedValue(text, script) !== null) return true;
  return script.includes("-c") && /^-[A-Za-z]*c$/u.test(text);
}

/** Recognizes several letters of which the last takes the next word: `-iu` of sudo. */
function endsWithValued(text: string, valued: readonly string[]): boolean {
  if (!/^-[A-Za-z]{2,}$/u.test(text)) return false;
  const letters = Array.from(text.slice(1), (letter) => `-${letter}`);
  return letters.findIndex((letter) => valued.includes(letter)) === letters.length - 1;
}

function joinedValue(text: string, script: readonly string[]): string | null {
  const option = script.find((each) => each.startsWith("--") && text.startsWith(`${each}=`));
  return option === undefined ? null : text.slice(option.length + 1);
}

/** Quotes a word for a shell if necessary. */
function inQuotes(word: Argument): Argument {
  return /[\s"'$`;|&()<>*?]/u.test(word.text)
    ? { ...word, text: `'${word.text.replaceAll("'", String.raw`'\''`)}'` }
    : word;
}

function joinWords(words: readonly Argument[]): Argument {
  return {
    text: words.map(({ text }) => text).join(" "),
    isPattern: words.some(({ isPattern }) => isPattern),
    from: words.flatMap(({ from }) => from),
  };
}

const someFile = plainArgument(unknownText);

/** Adds the input words of xargs or parallel, in place of `{}` or at the end. */
function withAdded(
  args: readonly Argument[],
  words: readonly Argument[],
  added: readonly Argument[],
  effort: Effort,
): readonly Argument[] {
  const at = args.findIndex(({ text }) => text === "-I");
  const mark =
    (at === -1 ? undefined : args[at + 1]?.text) ??
    args.find(({ text }) => text.startsWith("-I"))?.text.slice(2) ??
    "{}";
  const isMarked = mark !== "" && words.some(({ text }) => text.includes(mark));
  if (!isMarked) return [...words, ...added];
  const script = words.findIndex(({ text }) => /^-\w{0,9}c$/u.test(text)) + 1;
  if (script === 0 || words[script]?.text.includes(mark) !== true)
    return filledWords(words, { marks: [mark], fillings: added, effort });
  // A shell runs once for each item.
  const filled = filledWords(words.slice(script, script + 1), { marks: [mark], fillings: added, effort });
  const whole = { text: filled.map(({ text }) => text).join("\n"), isPattern: false };
  const rest = filledWords(words.slice(script + 1), { marks: [mark], fillings: added, effort });
  return [...words.slice(0, script), { ...whole, from: filled.flatMap(({ from }) => from) }, ...rest];
}

interface Filling {
  readonly marks: readonly string[];
  readonly fillings: readonly Argument[];
  readonly effort: Effort;
}

/** Returns a word for each filling of a word with a mark; an unknown word if that takes too many steps. */
function filledWords(words: readonly Argument[], { marks, fillings, effort }: Filling): Argument[] {
  const size = fillings.reduce((sum, { text, from }) => sum + text.length + from.length, 0);
  return words.flatMap((word) => {
    const count = marks.reduce((sum, mark) => sum + word.text.split(mark).length - 1, 0);
    if (count === 0) return [word];
    if (!effort.take(size * count + (word.text.length + word.from.length) * fillings.length))
      return [someFile];
    return fillings.map(({ text, isPattern, from }) => ({
      text: marks.reduce((filled, mark) => filled.replaceAll(mark, () => text), word.text),
      isPattern: isPattern || word.isPattern,
      from: [...word.from, ...from],
    }));
  });
}

/** Maximum words from an input. With more, typical ones represent all. */
const maxAdded = { whole: 50, typical: 200 };

/** Options that make a line of the list one word. */
const byLine = /^(?:-I.*|-i.*|--replace.*|-d(?:\n|\\n)?|--delimiter(?:=(?:\n|\\n))?)$/su;

function addedWords(args: readonly Argument[], input: Input | null, effort: Effort): readonly Argument[] {
  const text = input?.text ?? null;
  if (text === null) return [{ ...someFile, from: input?.from ?? [] }];
  const isByLine = args.some(({ text: option }) => byLine.test(option));
  const words = text.split(isByLine ? /[\n\0]+/u : /[\s\0]+/u).filter((word) => word !== "");
  const added = words.map((word) => ({ ...plainArgument(word), isPattern: /[*?[]/u.test(word) }));
  return wordsWithin(added, maxAdded, effort);
}

/** Options of find that run a command. */
const findActions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const fdActions = new Set(["-x", "--exec", "-X", "--exec-batch"]);

/** Opens the command that find runs for the found files. Its deletions are those of rm. */
function openFind(program: string, args: readonly Argument[], scope: Scope): Opened | null {
  const isFind = program === "find";
  const actions = isFind ? findActions : fdActions;
  const at = args.findIndex(({ text }) => actions.has(text) || (isFind && text === "-delete"));
  if (at === -1) return null;
  const own = { assignments: [], place: null, folder: null };
  const files = foundFiles(program, args, scope, at);
  if (args[at]?.text === "-delete")
    return { kind: "words", words: [plainArgument("rm"), plainArgument("-rf"), ...files], ...own };
  const rest = args.slice(at + 1);
  const end = rest.findIndex(({ text }) => text === ";" || text === "+");
  const words = end === -1 ? rest : rest.slice(0, end);
  const marks = ["{}", "{.}", "{/}"];
  const filled = filledWords(words, { marks, fillings: files, effort: scope.effort });
  const isNamed = words.some(({ text }) => marks.some((mark) => text.includes(mark)));
  const added = isNamed || isFind ? [] : files;
  if (filled.length === 0) return null;
  return { kind: "words", words: [...filled, ...added], ...own };
}
