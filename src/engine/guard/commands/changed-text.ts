import type { ParameterExpansionPart, Word } from "unbash";
import { withoutMatch } from "./glob-names.ts";
import { isUnknown, type Argument } from "./invocation.ts";

type Operation = NonNullable<ParameterExpansionPart["operation"]>;

/** Returns a variable's text after an operation such as `${x:2}` or `${x//_/ }`; null if only the shell knows it. */
export function changedText(
  text: string,
  operation: Operation,
  textOf: (word: Word) => string,
): string | null {
  switch (operation.type) {
    case "Remove":
      return withoutMatch(text, operation.operator, textOf(operation.operand));
    case "Slice":
      return sliced(text, operation.offset, operation.length);
    case "Replace":
      return replaced(text, operation.operator, [textOf(operation.pattern), textOf(operation.replacement)]);
    case "CaseModification": {
      if (operation.operand !== undefined) return null;
      const isUpper = operation.operator.startsWith("^");
      const end = operation.operator.length === 2 ? text.length : 1;
      const begin = text.slice(0, end);
      return (isUpper ? begin.toUpperCase() : begin.toLowerCase()) + text.slice(end);
    }
    case "Transform":
      return text;
    case "Default":
    case "Names":
    case "Unknown":
      return null;
  }
}

function sliced(text: string, offset: Word, length: Word | undefined): string | null {
  const [begin, count] = [numberOf(offset), length === undefined ? text.length : numberOf(length)];
  if (begin === null || count === null || isUnknown(text)) return null;
  const from = begin < 0 ? Math.max(text.length + begin, 0) : begin;
  return text.slice(from, count < 0 ? text.length + count : from + count);
}

function numberOf({ value }: Word): number | null {
  return /^\s*-?\d{1,6}\s*$/u.test(value) ? Number(value) : null;
}

/** Replaces a pattern that is plain text or one class of letters. */
function replaced(text: string, operator: string, [pattern, by]: readonly [string, string]): string | null {
  const isClass = /^\[[!^]?[^[\]\\]{1,60}\]$/u.test(pattern);
  if (pattern === "" || isUnknown(pattern) || (!isClass && /[*?[\\]/u.test(pattern))) return null;
  const one = isClass ? pattern.replace(/^\[!/u, "[^") : pattern.replaceAll(/[.+^${}()|\]]/gu, "\\$&");
  const [begin, end] = [operator === "/#" ? "^" : "", operator === "/%" ? "$" : ""];
  try {
    return text.replace(new RegExp(begin + one + end, operator === "//" ? "gu" : "u"), () => by);
  } catch {
    // A class with a reversed range is invalid.
    return null;
  }
}

const keyed = /^\[([^[\]]{1,100})\]=/u;

/** Returns the element of an array at an index or a key; null if unknown. */
export function elementAt(elements: readonly Argument[], key: string): Argument | null {
  const named = elements.findLast(({ text }) => keyed.exec(text)?.[1] === key);
  if (named !== undefined) return { ...named, text: named.text.replace(keyed, "") };
  const at = /^-?\d{1,6}$/u.test(key) ? Number(key) : null;
  return at === null ? null : (elements.at(at) ?? null);
}

/** Returns an array's elements without their keys. */
export function withoutKeys(elements: readonly Argument[]): readonly Argument[] {
  return elements.some(({ text }) => keyed.test(text))
    ? elements.map((element) => ({ ...element, text: element.text.replace(keyed, "") }))
    : elements;
}
