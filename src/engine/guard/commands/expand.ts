import type { Effort } from "../effort.ts";
import type { Argument } from "./invocation.ts";
import { cutPart, isUnknown, plainArgument, unknownPart, unknownText } from "./invocation.ts";
import { textSteps } from "./bounds.ts";
import { changedText, elementAt, withoutKeys } from "./changed-text.ts";
import { hasPattern } from "./glob-names.ts";
import { variableOf, type Scope } from "./scope.ts";
import type {
  BraceExpansionPart,
  DoubleQuotedChild,
  ParameterExpansionPart,
  ParsedScript,
  Word,
  WordPart,
} from "unbash";

/** The known output of a command substitution. */
export interface Output {
  readonly text: string;
  readonly from: readonly string[];
}

/** Returns the output of a substitution. @param written the substitution with its brackets or backticks, if known */
export type OutputOf = (script: ParsedScript, scope: Scope, written?: string) => Output;

/** Returns the commands of a substitution without its brackets or backticks. */
export function substitutedText(written: string): string {
  const inner = written.replace(/^(?:[$<>]\(|`)/u, "").replace(/[)`]$/u, "");
  return written.startsWith("`") ? inner.replaceAll(/\\([$`\\])/gu, "$1") : inner;
}

/** The fields of a part of a word. The first and the last join their neighbours. */
interface Piece {
  readonly fields: readonly string[];
  /** Split by the shell, which drops empty fields. */
  readonly isSplit?: true;
  readonly isPattern: boolean;
  readonly from: readonly string[];
}

/** Maximum words of a brace expansion. */
const maxWords = 64;
/** Steps for each part of a word besides its text. */
const partSteps = 3;
/** Characters of a word that are read in one step. */
const charactersPerStep = 64;
const nothing: readonly string[] = [];

/** Expands a word as the shell does: braces, tilde, variables, substitutions, and splitting at unquoted blanks. */
export function expandWord(
  word: Pick<Word, "text" | "value" | "parts">,
  scope: Scope,
  outputOf: OutputOf,
): Argument[] {
  if (!scope.effort.take(1 + Math.ceil(word.text.length / charactersPerStep)))
    return [plainArgument(unknownText)];
  const { parts } = word;
  if (parts === undefined) return [plainArgument(expandTilde(word.text, word.value, scope))];
  if (!scope.effort.take(parts.length * partSteps)) return [plainArgument(unknownText)];
  const [first] = parts;
  if (first?.type === "Glob" && parts.length === 1)
    return [{ text: first.value, isPattern: true, from: nothing }];
  let sequences: Piece[][] = [[]];
  for (const [index, part] of parts.entries()) {
    const choices = piecesOf(part, scope, outputOf, index === 0);
    const [only] = choices;
    if (only !== undefined && choices.length === 1) for (const sequence of sequences) sequence.push(only);
    else {
      if (sequences.length * choices.length > maxWords) scope.effort.leaveOut();
      if (!scope.effort.take(maxWords * (index + 1))) return [plainArgument(unknownText)];
      sequences = sequences
        .flatMap((sequence) => choices.map((choice) => [...sequence, choice]))
        .slice(0, maxWords);
    }
  }
  return sequences.flatMap((pieces) => joinPieces(pieces, scope.effort));
}

/** Returns the text of an unsplit word, such as one of an assignment or a redirection. */
export function expandText(word: Word | undefined, scope: Scope, outputOf: OutputOf): Argument {
  const fields = word === undefined ? [] : expandWord(word, scope, outputOf);
  return {
    text: fields.map(({ text }) => text).join(" "),
    isPattern: fields.some(({ isPattern }) => isPattern),
    from: fields.flatMap(({ from }) => from),
  };
}

/** Returns the text of a here-document's body. */
export function expandParts(parts: readonly WordPart[], scope: Scope, outputOf: OutputOf): string {
  return joinTexts(parts.map((part) => quotedPiece(part, scope, outputOf)));
}

/** Maximum fields of a word, and maximum characters of all: `X=$X$X` doubles it each time. */
export const maxFields = 500;
const maxWordLength = 20_000;

/** Joins a text and an appended one. */
export function joinPair(first: Argument, second: Argument): Argument {
  const from = sourcesOf([first, second]);
  return { ...second, text: shortened(first.text + second.text), from };
}

/** Maximum sources of one word. */
const maxSources = 50;

function sourcesOf(pieces: readonly Pick<Piece, "from">[]): readonly string[] {
  const all = pieces.flatMap(({ from }) => from);
  if (all.length <= maxSources) return all;
  const each = [...new Set(all)];
  return each.length <= maxSources ? each : [...each.slice(0, maxSources), cutPart];
}

function joinTexts(pieces: readonly Piece[]): string {
  let text = "";
  for (const { fields } of pieces) {
    text += fields.join(" ");
    if (text.length > maxWordLength) return shortened(text);
  }
  return text;
}

function shortened(text: string): string {
  return text.length > maxWordLength ? text.slice(0, maxWordLength) + cutPart : text;
}

function joinPieces(pieces: readonly Piece[], effort: Effort): Argument[] {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return fieldsOf(only, effort);
  const fields = [{ text: "", isKept: pieces.length === 0 }];
  let length = 0;
  for (const { fields: added, isSplit } of pieces) {
    length += added.reduce((sum, { length: each }) => sum + each, 0);
    if (length > maxWordLength || fields.length + added.length > maxFields) {
      // A long text is data until a command runs it; many words are operands.
      if (fields.length + added.length > 2) effort.leaveOut();
      fields.push({ text: cutPart, isKept: true });
      break;
    }
    for (const [index, text] of added.entries()) {
      const before = index === 0 ? fields.pop() : undefined;
      const isKept = before?.isKept === true || isSplit !== true || text !== "";
      fields.push({ text: (before?.text ?? "") + text, isKept });
    }
  }
  const isPattern = pieces.some((piece) => piece.isPattern);
  const from = sourcesOf(pieces);
  return fields.filter(({ isKept }) => isKept).map(({ text }) => ({ text, isPattern, from }));
}

function fieldsOf({ fields, isSplit, isPattern, from }: Piece, effort: Effort): Argument[] {
  const [first] = fields;
  if (first !== undefined && fields.length === 1)
    return isSplit === true && first === ""
      ? []
      : [{ text: shortened(first), isPattern, from: sourcesOf([{ from }]) }];
  const length = fields.reduce((sum, each) => sum + each.length, 0);
  if (length > maxWordLength || fields.length >= maxFields) {
    effort.leaveOut();
    return [{ text: cutPart, isPattern, from: sourcesOf([{ from }]) }];
  }
  const sources = from.length > maxSources ? sourcesOf([{ from }]) : from;
  const filled = isSplit === true && fields.includes("") ? fields.filter((text) => text !== "") : fields;
  return filled.map((text) => ({ text, isPattern, from: sources }));
}

function piecesOf(part: WordPart, scope: Scope, outputOf: OutputOf, isFirst: boolean): Piece[] {
  switch (part.type) {
    case "Literal":
      return [plainPiece(isFirst ? expandTilde(part.text, part.value, scope) : part.value)];
    case "Glob":
      return [{ fields: [part.value], isPattern: true, from: [] }];
    case "ExtendedGlob":
      return [{ fields: ["*"], isPattern: true, from: [] }];
    case "BraceExpansion":
      return bracePieces(part);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion": {
      const piece = quotedPiece(part, scope, outputOf);
      const { from } = piece;
      const separators = separatorsOf(scope);
      const fields = piece.fields.some((field) => separators.test(field))
        ? piece.fields.flatMap((field) => field.split(separators))
        : piece.fields;
      return [{ fields, from, isSplit: true, isPattern: piece.fields.some(hasPattern) }];
    }
    case "SingleQuoted":
    case "DoubleQuoted":
    case "AnsiCQuoted":
    case "LocaleString":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return [quotedPiece(part, scope, outputOf)];
  }
}

function plainPiece(text: string): Piece {
  return { fields: [text], isPattern: false, from: [] };
}

const blanks = /[ \t\n]+/u;

/** Returns the separators of unquoted expansions: blanks, unless IFS is set. */
function separatorsOf(scope: Scope): RegExp {
  const own = scope.variables.get("IFS")?.[0]?.text;
  if (own === undefined || own === "" || own.length > 8 || isUnknown(own)) return blanks;
  const listed = own.replaceAll(/[\\\]^-]/gu, "\\$&");
  return new RegExp(`[${listed}]+`, "u");
}

/** Returns a part's text as in double quotes, unsplit. */
function quotedPiece(part: WordPart | DoubleQuotedChild, scope: Scope, outputOf: OutputOf): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return plainPiece(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return quotedText(part.parts, scope, outputOf);
    case "SimpleExpansion":
      return variablePiece(part.text.slice(1), scope);
    case "ParameterExpansion":
      return parameterPiece(part, scope, outputOf);
    case "CommandExpansion": {
      const output = part.script === undefined ? unknownOutput : outputOf(part.script, scope, part.text);
      const { text, from } = scope.effort.take(sizeOf(output)) ? output : unknownOutput;
      return { fields: [text], isPattern: false, from };
    }
    case "ProcessSubstitution": {
      const output = part.script === undefined ? unknownOutput : outputOf(part.script, scope, part.text);
      const { text, from } = scope.effort.take(output.from.length) ? output : unknownOutput;
      const file = `/dev/fd/${unknownText}${scope.files.size}`;
      const readBy = part.operator === ">" ? { readBy: substitutedText(part.text) } : {};
      scope.files.set(file, { text: text === unknownPart ? null : text, from, ...readBy });
      return { fields: [file], isPattern: false, from };
    }
    case "ArithmeticExpansion":
      return plainPiece(unknownText);
    case "ExtendedGlob":
    case "BraceExpansion":
      return plainPiece(part.text);
  }
}

const sizeOf = ({ text, from }: Output): number => 1 + textSteps(text) + from.length;

const unknownOutput: Output = { text: unknownPart, from: [] };

function quotedText(parts: readonly DoubleQuotedChild[], scope: Scope, outputOf: OutputOf): Piece {
  const pieces = parts.map((part) => quotedPiece(part, scope, outputOf));
  const [only] = pieces;
  // "${array[@]}" alone has a field for each element.
  if (only !== undefined && pieces.length === 1) return only;
  return { fields: [joinTexts(pieces)], isPattern: false, from: sourcesOf(pieces) };
}

/** Steps for looking up a variable and splitting its text. */
const variableSteps = 4;

function variablePiece(name: string, scope: Scope): Piece {
  const elements = scope.effort.take(variableSteps) ? variableOf(scope, name) : null;
  return elements === null ? unknownVariable(name) : elementsPiece(elements, scope);
}

function unknownVariable(name: string): Piece {
  return { fields: [unknownPart], isPattern: false, from: [`$${name}`] };
}

/** Each use of a variable counts with its whole text, as variables that contain each other grow without end. */
function elementsPiece(elements: readonly Argument[], { effort }: Scope): Piece {
  const isGranted = effort.take(elements.length) && elements.every((each) => effort.take(sizeOf(each)));
  if (!isGranted) return plainPiece(unknownText);
  return {
    fields: elements.map(({ text }) => text),
    isPattern: false,
    from: elements.flatMap(({ from }) => from),
  };
}

/** An array's element with known sources only. */
function unknownElement(name: string, known: readonly Argument[] | null): Piece {
  const { from, ...piece } = unknownVariable(name);
  return { ...piece, from: known === null ? from : sourcesOf([{ from }, ...known]) };
}

function elementsAt(known: readonly Argument[], key: string): readonly Argument[] | null {
  const element = elementAt(known, key);
  return element === null ? null : [element];
}

function parameterPiece(
  { parameter, prefix, index, operation }: ParameterExpansionPart,
  scope: Scope,
  outputOf: OutputOf,
): Piece {
  if (prefix === "#") return plainPiece(unknownText);
  const known = variableOf(scope, parameter);
  if (prefix === "!") {
    const name = operation === undefined && index === undefined ? known?.[0]?.text : undefined;
    return name === undefined || !/^\w{1,60}$/u.test(name)
      ? plainPiece(unknownPart)
      : variablePiece(name, scope);
  }
  const isList = index?.text === "@" || index?.text === "*";
  const elements =
    known === null || index === undefined
      ? known
      : isList
        ? withoutKeys(known)
        : elementsAt(known, expandText(index, scope, outputOf).text);
  if (operation === undefined) {
    return elements === null ? unknownElement(parameter, known) : elementsPiece(elements, scope);
  }
  if (operation.type !== "Default") {
    if (elements === null) return plainPiece(unknownPart);
    const { fields, from, isPattern } = elementsPiece(elements, scope);
    const textOf = (word: Word): string => expandText(word, scope, outputOf).text;
    const changed = fields.map((field) => changedText(field, operation, textOf) ?? unknownText);
    return { fields: changed, from, isPattern };
  }
  const { operator, operand } = operation;
  const text = elements === null ? "" : elementsPiece(elements, scope).fields.join(" ");
  if (operator.endsWith("?")) return plainPiece(text === "" ? unknownText : text);
  if (text !== "" && !operator.endsWith("+")) return plainPiece(text);
  const other = expandText(operand, scope, outputOf);
  const own = operator.endsWith("+") ? [] : [`$${parameter}`];
  return { fields: [other.text], isPattern: false, from: [...own, ...other.from] };
}

/** Expands `{a,b}`. A range such as `{1..9}` becomes one word of unknown text. */
function bracePieces({ text }: BraceExpansionPart): Piece[] {
  const inner = text.slice(1, -1);
  const choices: string[] = [];
  let [depth, begin] = [0, 0];
  for (let at = 0; at < inner.length; at += 1) {
    const char = inner[at];
    if (char === "\\") at += 1;
    else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    else if (char === "," && depth === 0) {
      choices.push(inner.slice(begin, at));
      begin = at + 1;
    }
  }
  if (choices.length === 0) return [plainPiece(unknownText)];
  choices.push(inner.slice(begin));
  return choices.map((choice) => plainPiece(choice.replaceAll(/["'\\]/gu, "")));
}

/** Expands an unquoted leading `~`. Another user's home is assumed in `/home`. */
function expandTilde(written: string, value: string, { context }: Scope): string {
  if (!written.startsWith("~")) return value;
  const end = value.search(/[/\\]/u);
  const user = end === -1 ? value.slice(1) : value.slice(1, end);
  if (user === "+" || user === "-") return value;
  const home = user === "" ? context.home : `/home/${user}`;
  return end === -1 ? home : home + value.slice(end);
}
