import { fittingPaths, hasPattern } from "../commands/glob-names.ts";
import { cutPart, plainArgument, type Argument, type Redirection } from "../commands/invocation.ts";
import type { Effort } from "../effort.ts";
import type { Candidate, KnownPath } from "./candidate.ts";
import { atStart, exactly, searchFor, wholly } from "./patterns.ts";
import { hasFlag, type Options } from "./read-options.ts";
import type { ArgumentTest, CommandMatch, FileMatch, StatementTest } from "./rule.ts";
import { sendsTokenElsewhere } from "./token-services.ts";

/** A call of a tool that reads or changes one file. */
export interface FileCall {
  readonly tool: "read" | "edit";
  readonly file: string;
  /** The text that is written, if any. */
  readonly content: string | null;
  /** The text that it replaces, if known. */
  readonly removed?: string | null;
}

/** Returns the same match with all properties in one order: reading them of objects in many shapes takes several times as long. */
export function inOneShape(match: CommandMatch): {
  [Name in keyof Required<CommandMatch>]: CommandMatch[Name];
} {
  return {
    program: match.program,
    words: match.words,
    flags: match.flags,
    without: match.without,
    operand: match.operand,
    every: match.every,
    value: match.value,
    source: match.source,
    last: match.last,
    word: match.word,
    count: match.count,
    writes: match.writes,
    from: match.from,
    runs: match.runs,
    fromFile: match.fromFile,
    notVia: match.notVia,
    shown: match.shown,
    via: match.via,
    place: match.place,
    notPlace: match.notPlace,
    notFolder: match.notFolder,
    sendsTokenElsewhere: match.sendsTokenElsewhere,
    holds: match.holds,
    notTesting: match.notTesting,
    statement: match.statement,
    text: match.text,
    notText: match.notText,
  };
}

/**
 * Tests whether an invocation matches, apart from its program: rules are found by that. It runs for each pair of a rule and an invocation,
 * so it makes no functions.
 */
export function matchesCommand(match: CommandMatch, candidate: Candidate): boolean {
  const { invocation, options, effort } = candidate;
  if (!effort.take(ruleSteps + Math.floor(invocation.args.length / quickWords))) return false;
  const { from, runs, via, redirections, place, shown } = invocation;
  if (match.writes === undefined && candidate.isHelp) return false;
  if (match.place !== undefined && match.place !== place) return false;
  if (match.notPlace === place) return false;
  if (match.from !== undefined && !namesSource(match.from, from, effort)) return false;
  if (match.runs !== undefined && !namesSource(match.runs, runs, effort)) return false;
  if (match.fromFile !== undefined && !isFromFile(from, match.fromFile, candidate)) return false;
  if (match.notFolder !== undefined && candidate.pathOf(folderOption(options)).isOne(match.notFolder))
    return false;
  if (match.notVia !== undefined && namesOne(match.notVia, via)) return false;
  if (match.shown !== undefined && (shown === "none" || (match.shown === "whole" && shown === "part")))
    return false;
  if (match.via !== undefined && !namesOne(match.via, via)) return false;
  const skipped = match.words === undefined ? 0 : wordsMatched(match.words, options.operands);
  if (skipped === null) return false;
  for (const flag of match.flags ?? []) if (!hasOne(options, flag)) return false;
  if (match.without !== undefined && hasOne(options, match.without)) return false;
  const operands = skipped === 0 ? options.operands : options.operands.slice(skipped);
  if (match.count !== undefined) {
    const [min, max] = match.count;
    if (operands.length < min || operands.length > max) return false;
  }
  if (match.operand !== undefined && !someMatches(match.operand, operands, candidate)) return false;
  if (match.every !== undefined && !allMatch(match.every, operands, candidate)) return false;
  const last = operands.at(-1);
  if (match.last !== undefined && (last === undefined || !matchesArgument(match.last, last, candidate)))
    return false;
  if (match.source !== undefined && !someMatches(match.source, sourcesOf(operands, options), candidate))
    return false;
  if (match.word !== undefined && !someMatches(match.word, invocation.args, candidate)) return false;
  if (match.value !== undefined && !hasValue(match.value, options, candidate)) return false;
  if (match.writes !== undefined && !writesTo(match.writes, redirections, candidate)) return false;
  if (match.sendsTokenElsewhere === true && !sendsTokenElsewhere(invocation.args)) return false;
  if (match.notTesting === true && candidate.isTesting) return false;
  if (match.statement !== undefined && !hasStatement(match.statement, candidate)) return false;
  const { text } = candidate;
  if (match.holds !== undefined && !holdsOne(match.holds, text)) return false;
  if (match.text !== undefined && searchFor(match.text).isIn(text, effort, candidate.foldedText) !== true)
    return false;
  return (
    match.notText === undefined || searchFor(match.notText).isIn(text, effort, candidate.foldedText) === false
  );
}

/** Returns the folder in which a command works: git's own option comes before its subcommand. */
const folderOption = ({ values }: Options): string => values.get("-C")?.at(-1)?.text ?? ".";

/** Returns the operands that a program copies or moves to its last operand, or to an option's target. */
function sourcesOf(operands: readonly Argument[], { values }: Options): readonly Argument[] {
  return values.has("-t") || values.has("--target-directory") ? operands : operands.slice(0, -1);
}

function someMatches(test: ArgumentTest, args: readonly Argument[], candidate: Candidate): boolean {
  for (const arg of args) if (matchesArgument(test, arg, candidate)) return true;
  return false;
}

function allMatch(test: ArgumentTest, args: readonly Argument[], candidate: Candidate): boolean {
  for (const arg of args) if (!matchesArgument(test, arg, candidate)) return false;
  return args.length > 0;
}

function writesTo(
  test: NonNullable<CommandMatch["writes"]>,
  redirections: readonly Redirection[],
  candidate: Candidate,
): boolean {
  for (const { kind, target } of redirections) {
    const isWritten = kind === "write" || (kind === "append" && test.truncates !== true);
    if (isWritten && matchesArgument(test, target, candidate)) return true;
  }
  return false;
}

function hasStatement(test: StatementTest, { statements, effort }: Candidate): boolean {
  return statements.some((each) => isStatement(test, each, effort));
}

/** If some sources were left out, one of the list may be among them. */
function namesSource(list: string, sources: readonly string[], effort: Effort): boolean {
  if (namesOne(list, sources)) return true;
  if (sources.includes(cutPart)) effort.leaveOut();
  return false;
}

const namesOne = (list: string, names: readonly string[]): boolean =>
  names.length > 0 && alternatives(list).some((name) => names.includes(name));

const holdsOne = (list: string, text: string): boolean =>
  alternatives(list).some((part) => text.includes(part));

/** Tests whether a call of a file tool matches. */
export function matchesFile(
  match: FileMatch,
  { tool, file, content, removed = null }: FileCall,
  { path, effort }: { readonly path: KnownPath; readonly effort: Effort },
): boolean {
  if (!effort.take(ruleSteps + file.length)) return false;
  if (match.tool !== "read|edit" && match.tool !== tool) return false;
  if (match.path !== undefined && !path.isOne(match.path)) return false;
  if (match.notPath !== undefined && path.isOne(match.notPath)) return false;
  if (match.like !== undefined && wholly(match.like).isWhole(path.full, null) !== true) return false;
  if (match.removes !== undefined && !takesOut(match.removes, { content, removed }, effort)) return false;
  if (match.holds === undefined && match.content === undefined) return true;
  if (content === null) return false;
  const written = content.length > maxWrittenLength ? content.slice(0, maxWrittenLength) : content;
  const parts = match.holds === undefined ? null : alternatives(match.holds);
  const searching = 1 + Math.floor(written.length / quickCharacters);
  if (parts?.some((text) => effort.take(searching) && written.includes(text)) === false) return false;
  if (match.content === undefined) return true;
  const near = parts === null ? written.slice(0, maxContentLength) : textAround(written, parts);
  return exactly(match.content).isIn(near, effort) === true;
}

/** Tests whether an edit removes a match of a pattern and does not write it again. A patch contains its removed lines. */
function takesOut(
  pattern: string,
  { content, removed }: Pick<FileCall, "content" | "removed">,
  effort: Effort,
): boolean {
  if (removed === null || removed === undefined) return false;
  const isIn = (text: string): boolean =>
    exactly(pattern).isIn(text.slice(0, maxContentLength), effort) === true;
  const isPatch = content?.startsWith("*** Begin Patch") === true;
  const written = isPatch
    ? content
        .split("\n")
        .filter((line) => !line.startsWith("-"))
        .join("\n")
    : content;
  return isIn(removed) && !isIn(written ?? "");
}

/** Steps for each rule, in addition to the words that it tests. */
const ruleSteps = 2;
/** Words that are searched for an option in one step. */
const quickWords = 8;
/** Only the beginning of a longer written text is tested. Characters. */
const maxWrittenLength = 200_000;
/** Characters that a plain search passes in one step. */
const quickCharacters = 1000;
/** A longer written text is only tested around the words that a rule requires. Characters. */
const maxContentLength = 20_000;
/** Text that is tested before and after such a word. Characters. */
const reach = 300;
/** Such words per text. */
const maxPlaces = 20;

/** Returns the parts of a text around some words, on lines of their own. */
function textAround(content: string, words: readonly string[]): string {
  if (content.length <= maxContentLength) return content;
  const parts: string[] = [];
  for (const word of words) {
    let at = content.indexOf(word);
    while (at !== -1 && parts.length < maxPlaces) {
      parts.push(content.slice(Math.max(0, at - reach), at + word.length + reach));
      at = content.indexOf(word, at + word.length + reach);
    }
  }
  return parts.join("\n");
}

function isStatement({ like, unlike }: StatementTest, statement: string, effort: Effort): boolean {
  if (atStart(like).isIn(statement, effort) !== true) return false;
  return unlike === undefined || searchFor(unlike).isIn(statement, effort) === false;
}

function hasOne(options: Options, flags: string): boolean {
  for (const flag of alternatives(flags)) if (hasFlag(options, flag)) return true;
  return false;
}

const splitWords = new Map<string, readonly (readonly string[])[]>();

/** Returns the sequences of words in a list of alternatives. */
function sequences(list: string): readonly (readonly string[])[] {
  const known = splitWords.get(list);
  if (known !== undefined) return known;
  const split = alternatives(list).map((words) => words.split(" "));
  splitWords.set(list, split);
  return split;
}

/** Returns the number of operands that the words take; null where they do not match. */
function wordsMatched(words: string, operands: readonly Argument[]): number | null {
  for (const sequence of sequences(words)) {
    let taken = 0;
    while (taken < sequence.length && operands[taken]?.text === sequence[taken]) taken += 1;
    if (taken === sequence.length) return taken;
  }
  return null;
}

function hasValue(
  test: ArgumentTest & { readonly of: string },
  { values }: Options,
  candidate: Candidate,
): boolean {
  return alternatives(test.of).some((option) => {
    const given = values.get(option) ?? [];
    return given.some((value) => matchesArgument(test, value, candidate));
  });
}

function matchesArgument(
  { path, like, notPath, from, given, givenFile, givenVariable }: ArgumentTest,
  { text, from: printing, isPattern }: Argument,
  candidate: Candidate,
): boolean {
  if (!candidate.effort.take(wordSteps + printing.length)) return false;
  if (given !== undefined && !printing.some((each) => isAmong(given, each))) return false;
  if (givenFile !== undefined && !isFromFile(printing, givenFile, candidate)) return false;
  if (givenVariable !== undefined) {
    const pattern = wholly(givenVariable);
    if (!printing.some((each) => each.startsWith("$") && pattern.isWhole(each.slice(1), null) === true))
      return false;
  }
  if (like !== undefined && !candidate.isLike(like, text)) return false;
  if (from !== undefined && !alternatives(from).some((name) => printing.includes(name))) return false;
  if (path === undefined && notPath === undefined) return true;
  const isMeant = (written: string): boolean => {
    const known = candidate.pathOf(written);
    return (path === undefined || known.isOne(path)) && (notPath === undefined || !known.isOne(notPath));
  };
  const written = pathIn(text, like);
  // A glob also counts as each path that it matches.
  return isMeant(written) || (isPattern && path !== undefined && fittingPaths(written).some(isMeant));
}

/** Steps for each word, in addition to its path and its sources. */
const wordSteps = 2;

const pathGroups = new Map<string, boolean>();

/** Returns the part of an argument that is a path. */
function pathIn(text: string, like: string | undefined): string {
  if (like === undefined) return text;
  let hasGroup = pathGroups.get(like);
  if (hasGroup === undefined) pathGroups.set(like, (hasGroup = like.includes("?P<path>")));
  return hasGroup ? (wholly(like).groupOf(text, "path") ?? text) : text;
}

const isAmong = (list: string, name: string): boolean => alternatives(list).includes(name);

/** Tests whether one of a text's sources is a file of a kind. */
function isFromFile(sources: readonly string[], path: string, candidate: Candidate): boolean {
  if (sources.includes(cutPart)) candidate.effort.leaveOut();
  return sources.some((source) => {
    if (!source.startsWith("<")) return false;
    const text = source.slice(1);
    return matchesArgument({ path }, { ...plainArgument(text), isPattern: hasPattern(text) }, candidate);
  });
}

const splitTexts = new Map<string, readonly string[]>();

function alternatives(list: string): readonly string[] {
  const known = splitTexts.get(list);
  if (known !== undefined) return known;
  const split = list.split("|");
  splitTexts.set(list, split);
  return split;
}
