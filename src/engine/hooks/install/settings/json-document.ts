import { sentence } from "../../../base/language.ts";
import {
  applyEdits,
  createScanner,
  getNodeValue,
  parseTree,
  type Edit,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { parseJson } from "../../../base/parse.ts";

export interface JsonDocument {
  readonly text: string;
  /** Null when there is only white space. */
  readonly root: Node | null;
}

/** `SyntaxKind` and `ParseErrorCode` of jsonc-parser are const enums, which type stripping does not support. */
const kinds = {
  opening: [1, 3],
  closing: [2, 4],
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  trivia: 15,
  end: 17,
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes a file that is UTF-8 throughout, so that encoding it again gives the same bytes. A BOM is kept as the first character.
 */
export function decodeJson(bytes: Uint8Array): Result<string, "not_json"> {
  try {
    return succeed(strictUtf8.decode(bytes));
  } catch {
    return fail("not_json", sentence("it is not UTF-8"));
  }
}

/** Parses JSON with comments. Fails on any syntax error. */
export function parseJsonDocument(text: string): Result<JsonDocument, "not_json"> {
  const body = withoutBom(text);
  if (body.trim() === "") return succeed({ text, root: null });
  if (isTooDeep(body)) return fail("not_json", sentence("it is nested too deeply"));
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const line = body.slice(0, first?.offset ?? 0).split("\n").length;
    return fail("not_json", sentence("line {0} is not JSON", line));
  }
  return succeed({ text, root });
}

/** The tree is read by functions that call themselves at each level, and no agent's settings are nested as deep. */
const maxDepth = 200;

function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan()) {
    if (kinds.opening.includes(kind)) depth += 1;
    else if (kinds.closing.includes(kind)) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Length of the text before the tree's offset 0: the scanner does not handle a BOM. */
function bomLength(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

function withoutBom(text: string): string {
  return text.slice(bomLength(text));
}

export function edited({ text }: JsonDocument, edits: readonly Edit[]): string {
  return text.slice(0, bomLength(text)) + applyEdits(withoutBom(text), [...edits]);
}

/** The document's text as the tree's offsets count it. */
export function body({ text }: JsonDocument): string {
  return withoutBom(text);
}

/** Returns the value of a node in plain objects: the library's own have no prototype and never equal ours. */
export function valueOf(node: Node): unknown {
  return parseJson(JSON.stringify(getNodeValue(node)));
}

export interface Leniencies {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

export const noLeniencies: Leniencies = { comments: false, trailingCommas: false };

/** Finds syntax that an agent does not read. @param takesComments whether it reads a file with comments */
export function leniencies(
  document: JsonDocument,
  { takesComments }: { readonly takesComments: boolean },
): Leniencies {
  const errors: ParseError[] = [];
  if (document.root !== null) parseTree(body(document), errors, { allowTrailingComma: false });
  const hasComments = !takesComments && comments(body(document)).length > 0;
  return { comments: hasComments, trailingCommas: errors.length > 0 };
}

export function comments(text: string): string[] {
  const scanner = createScanner(text);
  const found: string[] = [];
  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan())
    if (kind === kinds.lineComment || kind === kinds.blockComment)
      found.push(text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()));
  return found;
}

export interface AfterValue {
  /** Offset of the comma; null when none follows before the next value or bracket. */
  readonly comma: number | null;
  /** End of the comments on the same line that belong to the value. */
  readonly endOfLine: number;
}

/** Finds what follows a value: perhaps a comma, and comments on its line. */
export function afterValue(text: string, end: number): AfterValue {
  const scanner = createScanner(text);
  scanner.setPosition(end);
  let comma: number | null = null;
  let endOfLine = end;
  let isSameLine = true;
  for (;;) {
    const kind: number = scanner.scan();
    const from = scanner.getTokenOffset();
    const to = from + scanner.getTokenLength();
    if (kind === kinds.comma && comma === null) {
      comma = from;
      if (isSameLine) endOfLine = to;
    } else if (kind === kinds.lineBreak) isSameLine = false;
    else if (kind === kinds.lineComment || kind === kinds.blockComment) {
      if (text.slice(from, to).includes("\n")) isSameLine = false;
      else if (isSameLine) endOfLine = to;
    } else if (kind !== kinds.trivia) return { comma, endOfLine };
  }
}

/** Offset of the comma to the left of a value. Null for the first one. */
export function commaBetween(text: string, from: number, to: number): number | null {
  const { comma } = afterValue(text, from);
  return comma !== null && comma < to ? comma : null;
}
