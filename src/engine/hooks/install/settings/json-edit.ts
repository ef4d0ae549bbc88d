import type { Edit, Node } from "jsonc-parser";
import { afterValue, body, commaBetween, type JsonDocument } from "./json-document.ts";

/**
 * Edits of a JSON text that change only the bytes they add or remove. jsonc-parser's own `modify` puts a new member between the
 * last one and the comment that belongs to it, and formats around it; hence our own, on its tree.
 */

interface JsonStyle {
  readonly eol: string;
  readonly indent: string;
  /** All on one line. */
  readonly isCompact: boolean;
}

function styleOf(document: JsonDocument): JsonStyle {
  const text = body(document);
  const eol = /\r?\n/u.exec(text)?.[0] ?? "\n";
  const { root } = document;
  const [first] = root?.children ?? [];
  const indent = first === undefined ? "" : indentationAt(text, first.offset);
  const isCompact = first !== undefined && root !== null && !textOf(text, root).includes("\n");
  return { eol, indent: indent === "" ? "  " : indent, isCompact };
}

export function printDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function appendMember(document: JsonDocument, object: Node, name: string, value: unknown): Edit[] {
  const manner = styleOf(document);
  return append(document, object, manner, (indentation) => {
    const separator = manner.isCompact ? ":" : ": ";
    return `${JSON.stringify(name)}${separator}${printed(value, manner, indentation)}`;
  });
}

export function appendElement(document: JsonDocument, array: Node, value: unknown): Edit[] {
  const manner = styleOf(document);
  return append(document, array, manner, (indentation) => printed(value, manner, indentation));
}

export function replaceValue(document: JsonDocument, node: Node, value: unknown): Edit[] {
  const manner = styleOf(document);
  const content = printed(value, manner, indentationAt(body(document), node.offset));
  return [{ offset: node.offset, length: node.length, content }];
}

/** Removes a member or an element, with its comma and the white space before it. Comments around it stay. */
export function removeChild(document: JsonDocument, container: Node, child: Node): Edit[] {
  const text = body(document);
  const siblings = container.children ?? [];
  const index = siblings.indexOf(child);
  const end = child.offset + child.length;
  const previous = siblings[index - 1];
  const after = afterValue(text, end).comma;
  const before =
    previous === undefined ? null : commaBetween(text, previous.offset + previous.length, child.offset);
  const comma = after ?? before;
  const gone: Edit[] = [{ offset: child.offset, length: child.length, content: "" }];
  if (comma !== null) gone.push({ offset: comma, length: 1, content: "" });
  const rest = text.slice(after === null ? end : after + 1);
  const blank = /(?<![ \t\r\n])[ \t\r\n]*$/u.exec(text.slice(0, child.offset))?.[0] ?? "";
  // The line break may end a comment. It is removed only where another one follows, with nothing in between.
  const isOneGap = after === null || text.slice(end, after).trim() === "";
  const isLineEnd = /^[ \t]*(?:\r?\n|$)/u.test(rest);
  if (!blank.includes("\n") || (isOneGap && isLineEnd))
    gone.push({ offset: child.offset - blank.length, length: blank.length, content: "" });
  return gone.filter(({ length }) => length > 0);
}

function append(
  document: JsonDocument,
  container: Node,
  { eol, indent, isCompact }: JsonStyle,
  print: (indentation: string) => string,
): Edit[] {
  const text = body(document);
  const last = container.children?.at(-1);
  const outer = indentationAt(text, container.offset);
  if (last === undefined) {
    const offset = container.offset + 1;
    if (isCompact) return [{ offset, length: 0, content: print("") }];
    const inner = text.slice(offset, container.offset + container.length - 1);
    const close = inner.includes("\n") ? "" : `${eol}${outer}`;
    return [{ offset, length: 0, content: `${eol}${outer}${indent}${print(outer + indent)}${close}` }];
  }
  const end = last.offset + last.length;
  const { comma, endOfLine } = afterValue(text, end);
  const isLined = textOf(text, container).includes("\n");
  const own = isLined ? ownIndentation(text, last.offset) : null;
  const indentation = own ?? outer + indent;
  const gap = isLined ? `${eol}${indentation}` : isCompact ? "" : " ";
  const content = `${gap}${print(isLined ? indentation : outer)}`;
  // After an existing trailing comma, ours gets one as well.
  if (comma !== null) return [{ offset: Math.max(endOfLine, comma + 1), length: 0, content: `${content},` }];
  if (endOfLine === end) return [{ offset: end, length: 0, content: `,${content}` }];
  return [
    { offset: end, length: 0, content: "," },
    { offset: endOfLine, length: 0, content },
  ];
}

function printed(value: unknown, { eol, indent, isCompact }: JsonStyle, indentation: string): string {
  if (isCompact) return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll("\n", `${eol}${indentation}`);
}

function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? "";
}

/** Same as `indentationAt`, or null if anything else precedes the offset on its line. */
function ownIndentation(text: string, offset: number): string | null {
  const indentation = indentationAt(text, offset);
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return start + indentation.length === offset ? indentation : null;
}

function textOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}
