import path from "node:path";
import type { Input } from "./inner-scope.ts";
import { cutPart, isUnknown, unknownText, type Argument, type Redirection } from "./invocation.ts";
import type { Scope, WrittenFile } from "./scope.ts";

/** Maximum files of one command line. */
const maxFiles = 50;
/** Maximum text of a file. The rest is cut. Characters. */
const maxTextLength = 60_000;

/** Returns a file that the command line has written; null for others. */
export function writtenFile(scope: Scope, name: string): WrittenFile | null {
  return (scope.files.size === 0 ? undefined : scope.files.get(placeOf(scope, name))) ?? null;
}

/** Returns the text that the command line has written to a file; null if unknown. */
export function writtenText(scope: Scope, name: string): string | null {
  return writtenFile(scope, name)?.text ?? null;
}

/** Returns the texts of written files that a pattern or a search may find. */
export function writtenTextsLike(scope: Scope, name: string): readonly string[] {
  const at = name.search(wildcard);
  if (scope.files.size === 0 || at === -1 || !scope.effort.take(scope.files.size * likeSteps)) return [];
  const folder = placeOf(scope, name.slice(0, name.lastIndexOf("/", at) + 1) || ".");
  const base = path.posix.basename(name);
  return [...scope.files].flatMap(([place, { text }]) => {
    const isBelow = place.startsWith(folder === "/" ? folder : `${folder}/`);
    const fits = base.includes(unknownText) || path.posix.matchesGlob(path.posix.basename(place), base);
    return text !== null && isBelow && fits ? [text] : [];
  });
}

const wildcard = new RegExp(`[*?[${unknownText}]`, "u");
/** Steps for comparing one file with a pattern. */
const likeSteps = 10;

/** Files that are read from disk. */
const lookedUp = /\.(?:sql|psql|ddl|cql|hql|redis)$/iu;

/** Steps for looking a file up. */
const readingSteps = 2000;

/** Returns the text of a written file, or the beginning of a file of statements in the project; null if unknown. */
export function textOf(scope: Scope, name: string): string | null {
  const written = writtenFile(scope, name);
  if (written !== null) return written.text;
  const { readText } = scope.context;
  if (readText === undefined || scope.place !== "here" || scope.folder === null) return null;
  const isRead = lookedUp.test(name) && !isUnknown(name) && scope.effort.take(readingSteps);
  return isRead ? readText(placeOf(scope, name)) : null;
}

/** Returns a file as input. */
export function inputOf({ text, from }: Argument, scope: Scope): Input {
  const written = writtenFile(scope, text);
  const writers = written !== null && scope.effort.take(written.from.length) ? written.from : [];
  return { from: [...from, `<${text}`, ...writers], text: textOf(scope, text) };
}

/** Programs that dump a database. */
const dumping = new Set(["pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump"]);

/** Adds to a command's words the sources that the command line has copied or dumped to their files. */
export function withCopied(args: readonly Argument[], scope: Scope): readonly Argument[] {
  if (scope.files.size === 0 || !scope.effort.take(args.length)) return args;
  return args.map((arg) => {
    const name = arg.text.startsWith("@") ? arg.text.slice(1) : arg.text;
    const from = writtenFile(scope, name)?.from ?? [];
    const copied = from.filter((source) => source.startsWith("<") || dumping.has(source));
    return copied.length === 0 ? arg : { ...arg, from: [...arg.from, ...copied] };
  });
}

/** A command that may write files. */
interface Writing {
  readonly program: string;
  readonly args: readonly Argument[];
  readonly redirections: readonly Redirection[];
  /** Its output and the writers. */
  readonly output: WrittenFile;
  readonly input: WrittenFile;
}

const copying = new Set(["cp", "mv", "ln", "install", "rsync"]);
/** Programs whose words are no files. */
const printing = new Set(["echo", "printf", "curl", "wget"]);

/** Records the files that a command writes. */
export function rememberWritten(scope: Scope, writing: Writing): void {
  const { program, args, input, output } = writing;
  for (const { kind, target, isOutput } of writing.redirections)
    if (kind !== "read" && isOutput) {
      write(scope, target.text, output, kind === "append");
      if (output.text === null) rememberCopies(scope, target.text, readBy(writing));
    }
  if (program === "tee" || program === "sponge") {
    const isAppended = args.some(({ text }) => text === "-a" || text === "--append");
    for (const name of operandsOf(args)) {
      write(scope, name, input, isAppended);
      if (input.text === null) rememberCopies(scope, name, readBy({ program: "echo", args, input }));
    }
  } else if (copying.has(program)) {
    const names = operandsOf(args);
    if (program === "rsync") rememberCopies(scope, names.at(-1) ?? "", names.slice(0, -1));
    else copy(scope, program, names);
  } else if (program === "dd") {
    const valueOfWord = (word: string) =>
      args.find(({ text }) => text.startsWith(`${word}=`))?.text.slice(word.length + 1) ?? "";
    rememberCopies(scope, valueOfWord("of"), [valueOfWord("if")]);
  } else if (program === "curl" || program === "wget") {
    const name = downloaded(program, args);
    if (name !== null) write(scope, name, { text: null, from: [program] }, false);
  }
}

/** Maximum copies of one command line. */
const maxCopies = 40;

/** Returns the stored files that a file's content came from, none if it is as the disk has it. */
export function copiedFrom({ copies }: Scope, place: string): readonly string[] {
  return copies.flatMap(({ target, source }) => {
    if (place === target) return [source];
    if (!place.startsWith(`${target}/`)) return [];
    const rest = place.slice(target.length + 1);
    // A copy into an existing folder gets the source's name.
    return rest === path.posix.basename(source) ? [source, `${source}/${rest}`] : [`${source}/${rest}`];
  });
}

function rememberCopies(scope: Scope, target: string, sources: readonly string[]): void {
  if (target === "" || isUnknown(target) || target.startsWith("/dev/")) return;
  const place = placeOf(scope, target);
  for (const name of sources) {
    const source = placeOf(scope, name);
    if (name === "" || isUnknown(name) || source === place || name.startsWith("/dev/")) continue;
    if (scope.copies.length >= maxCopies) {
      scope.effort.leaveOut();
      return;
    }
    scope.copies.push({ target: place, source });
  }
}

/** Returns the files that a command may have read for its output. */
const readBy = ({ program, args, input }: Pick<Writing, "program" | "args" | "input">): readonly string[] => [
  ...(printing.has(program) ? [] : operandsOf(args)),
  ...input.from.filter((source) => source.startsWith("<")).map((source) => source.slice(1)),
];

/** Returns the commands that read a command's output, each with its input. */
export function readersOf(
  scope: Scope,
  { program, args, redirections, output, input }: Writing,
): readonly { readonly script: string; readonly input: WrittenFile }[] {
  if (scope.files.size === 0) return [];
  const redirected = redirections
    .filter(({ kind, isOutput }) => kind !== "read" && isOutput)
    .map(({ target }) => ({ name: target.text, input: output }));
  const named = program === "tee" ? operandsOf(args).map((name) => ({ name, input })) : [];
  return [...redirected, ...named].flatMap(({ name, input: given }) => {
    const script = name.startsWith("/dev/fd/") ? scope.files.get(name)?.readBy : undefined;
    return script === undefined ? [] : [{ script, input: given }];
  });
}

function copy(scope: Scope, program: string, names: readonly string[]): void {
  const [source, target] = names;
  const isIntoFirst = scope.files.has(placeOf(scope, source ?? ""));
  if (!isIntoFirst && program !== "ln") rememberCopies(scope, names.at(-1) ?? "", names.slice(0, -1));
  if (source === undefined || target === undefined || names.length !== 2) return;
  const file = writtenFile(scope, source) ?? { text: null, from: [`<${source}`] };
  const isFolder = /(?:^|\/)\.{0,2}\/?$/u.test(target);
  write(scope, isFolder ? path.posix.join(target, path.posix.basename(source)) : target, file, false);
  if (program === "mv") scope.files.delete(placeOf(scope, source));
}

function write(scope: Scope, name: string, { text, from }: WrittenFile, isAppended: boolean): void {
  if (name === "" || isUnknown(name) || name.startsWith("/dev/")) return;
  const place = placeOf(scope, name);
  if (scope.files.size >= maxFiles && !scope.files.has(place)) {
    scope.effort.leaveOut();
    return;
  }
  const before = isAppended ? scope.files.get(place) : undefined;
  const whole = isAppended ? joined(before?.text ?? "", text) : text;
  const limited =
    whole === null || whole.length <= maxTextLength ? whole : whole.slice(0, maxTextLength) + cutPart;
  const writers = [before?.from ?? [], from];
  // A file that is appended to itself doubles its writers each time.
  const isCounted = scope.effort.take(writers.reduce((sum, { length }) => sum + length, 0));
  scope.files.set(place, { text: limited, from: isCounted ? writers.flat() : [] });
}

const joined = (first: string, second: string | null): string | null =>
  second === null ? null : first + second;

export function placeOf({ folder, context }: Scope, name: string): string {
  const fromHome = /^~(?:\/|$)/u.test(name) ? context.home + name.slice(1) : name;
  return path.posix.resolve("/", folder ?? "", fromHome);
}

export function operandsOf(args: readonly Argument[]): string[] {
  return args.map(({ text }) => text).filter((text) => text !== "" && !text.startsWith("-"));
}

/** Returns the file of a download; null for the output. */
function downloaded(program: string, args: readonly Argument[]): string | null {
  const texts = args.map(({ text }) => text);
  const named = valueOf(
    texts,
    program === "curl" ? "o" : "O",
    program === "curl" ? "output" : "output-document",
  );
  if (named !== null) return named === "-" ? null : named;
  const isByAddress = program === "wget" || texts.some((text) => /^-[a-zA-Z]*O|^--remote-name$/u.test(text));
  const address = isByAddress ? texts.find((text) => /^(?:https?|ftp):\/\/[^/]+\/./u.test(text)) : undefined;
  const name = address === undefined ? "" : path.posix.basename(address.replace(/[?#].*/su, ""));
  return name === "" ? null : name;
}

/** Returns an option's value: `-o F`, `-sLo F`, `-oF`, `--output=F`. */
function valueOf(texts: readonly string[], letter: string, long: string): string | null {
  for (const [at, text] of texts.entries()) {
    if (text === `--${long}`) return texts[at + 1] ?? null;
    if (text.startsWith(`--${long}=`)) return text.slice(long.length + 3);
    if (text.startsWith("--") || !text.startsWith("-")) continue;
    const place = /^-[a-zA-Z]*$/u.test(text) ? text.indexOf(letter, 1) : -1;
    if (place === text.length - 1 && place > 0) return texts[at + 1] ?? null;
    if (text.startsWith(`-${letter}`)) return text.slice(2);
  }
  return null;
}

/** Programs that read a list of words. */
const listing = new Set(["xargs", "parallel"]);

export const isListing = (program: string): boolean => listing.has(program);

/** Returns the list that xargs or parallel reads: a named file, or else its input. */
export function listedInput(program: string, args: readonly Argument[], input: Input, scope: Scope): Input {
  const file = listOf(program, args);
  const listed = file === undefined ? input : inputOf(file, scope);
  const { readScript } = scope.context;
  const name = listed.from.find((source) => source.startsWith("<"))?.slice(1);
  if (listed.text !== null || name === undefined || readScript === undefined || scope.place !== "here")
    return listed;
  // A list of words is short. A longer file is read by its words only.
  const text = !isUnknown(name) && scope.effort.take(listSteps) ? readScript(placeOf(scope, name)) : null;
  return text === null || text.length > maxListLength ? listed : { ...listed, text };
}

/** Steps for reading a list. */
const listSteps = 50;
/** Maximum length of a list that is read. Characters. */
const maxListLength = 2000;

function listOf(program: string, args: readonly Argument[]): Argument | undefined {
  for (const [at, arg] of args.entries()) {
    const { text } = arg;
    if (text === "-a" || text === "--arg-file" || (program === "parallel" && text === "::::"))
      return args[at + 1];
    const joined = /^(?:--arg-file=|-a)(?=.)/u.exec(text)?.[0];
    if (joined !== undefined) return { ...arg, text: text.slice(joined.length) };
    // The command for the list follows.
    if (!text.startsWith("-") && program === "xargs" && !valued.has(args[at - 1]?.text ?? ""))
      return undefined;
  }
  return undefined;
}

const valued = new Set(
  "-I -n -P -L -d -E -s --max-args --max-procs --max-lines --delimiter --replace".split(" "),
);
