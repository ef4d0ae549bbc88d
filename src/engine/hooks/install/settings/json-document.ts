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

/** A JSON file, comments and trailing commas included, as text in which every value has its place. */
export interface JsonDocument {
  readonly text: string;
  /** Null when there is nothing but white space. */
  readonly root: Node | null;
}

/** `SyntaxKind` and `ParseErrorCode` of jsonc-parser are const enums, which type stripping does not have. */
const kinds = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, trivia: 15, end: 17 };

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file that is UTF-8 throughout, so that encoding it again gives the same bytes. Its BOM is its first character. */
export function decodeJson(bytes: Uint8Array): Result<string, "not_json"> {
  try {
    return succeed(strictUtf8.decode(bytes));
  } catch {
    return fail("not_json", "it is not UTF-8");
  }
}

/** Reads a JSON text, with comments. What does not parse is not guessed at. */
export function parseJson(text: string): Result<JsonDocument, "not_json"> {
  const body = withoutBom(text);
  if (body.trim() === "") return succeed({ text, root: null });
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const line = body.slice(0, first?.offset ?? 0).split("\n").length;
    return fail("not_json", `line ${line} is not JSON`);
  }
  return succeed({ text, root });
}

/** What comes before the first character of a document's tree: the scanner does not know of a BOM. */
function bomLength(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

function withoutBom(text: string): string {
  return text.slice(bomLength(text));
}

/** Applies edits whose places are the tree's. */
export function edited({ text }: JsonDocument, edits: readonly Edit[]): string {
  return text.slice(0, bomLength(text)) + applyEdits(withoutBom(text), [...edits]);
}

/** A document's text by the tree's places. */
export function body({ text }: JsonDocument): string {
  return withoutBom(text);
}

/** What a part of a document means, in plain objects: the library's own have no prototype and are equal to none of ours. */
export function valueOf(node: Node): unknown {
  const value: unknown = JSON.parse(JSON.stringify(getNodeValue(node)));
  return value;
}

/** What is not JSON in the strict sense, and yet in the file. */
export function leniencies(document: JsonDocument): { comments: boolean; trailingCommas: boolean } {
  const errors: ParseError[] = [];
  if (document.root !== null) parseTree(body(document), errors, { allowTrailingComma: false });
  return { comments: comments(body(document)).length > 0, trailingCommas: errors.length > 0 };
}

/** The comments of a text, in their order. */
export function comments(text: string): string[] {
  const scanner = createScanner(text);
  const found: string[] = [];
  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan())
    if (kind === kinds.lineComment || kind === kinds.blockComment)
      found.push(text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()));
  return found;
}

export interface AfterValue {
  /** Where the comma is; null when none follows before the next value or bracket. */
  readonly comma: number | null;
  /** The end of what follows on the same line and belongs to what was before: comments. */
  readonly endOfLine: number;
}

/** What follows a value: a comma perhaps, and comments on its line. */
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

/** Where a value's comma to its left is. Null for the first one. */
export function commaBetween(text: string, from: number, to: number): number | null {
  const { comma } = afterValue(text, from);
  return comma !== null && comma < to ? comma : null;
}
