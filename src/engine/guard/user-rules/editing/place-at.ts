import * as z from "zod/mini";
import { sentenceOf, type Sentence } from "../../../base/language.ts";
import { actionOf, type RuleAction } from "../../calls/rule-action.ts";
import type { GuardRule } from "../../calls/rule.ts";
import type { CodedRule } from "../../guard-rules/coded-rule.ts";
import type { GuardFamily } from "../../../settings/guard.ts";

/** A place in a YAML text where somebody is writing. */
export interface WrittenPlace {
  /** Keys that lead to it, with `*` for an entry of a list; of a value, its own key too. */
  readonly path: readonly string[];
  readonly kind: "key" | "value";
  /** The word before the place, and where it begins in its line. */
  readonly word: string;
  readonly column: number;
}

/** A key or an entry's dash in a line, from left to right. */
interface Part {
  readonly column: number;
  /** Null for a dash. */
  readonly key: string | null;
}

/** More lines above are not looked at. */
const mostLines = 20_000;
const keyHere = /([\w-]+|"[^"]*"|'[^']*')\s*:(?=\s|$)/uy;

/**
 * Returns what is written at a place, by the indentation of the lines above: a text that is being written is seldom YAML. Null where nothing
 * can be suggested: in a comment, a quoted text, or a block of text.
 */
export function placeAt(
  text: string,
  { line, column }: { line: number; column: number },
): WrittenPlace | null {
  const lines = text.split(/\r?\n/u).slice(0, line + 1);
  const before = (lines[line] ?? "").slice(0, column);
  const { parts, end } = readParts(before);
  const rest = before.slice(end);
  if (/(?:^|\s)#/u.test(before) || /^["']/u.test(rest.trim())) return null;
  const word = /(?<![\w|/~.-])[\w|/~.-]*$/u.exec(rest)?.[0] ?? "";
  const first = parts[0]?.column ?? before.length - word.length;
  const outer = parentsOf(lines.slice(Math.max(0, line - mostLines), line), {
    column: first,
    isDash: parts[0]?.key === null,
  });
  const path = [...outer, ...parts.map(({ key }) => key ?? "*")];
  const lead = rest.slice(0, rest.length - word.length);
  const start = before.length - word.length;
  const last = parts.at(-1);
  if (/^\s*[{[]/u.test(lead)) return inFlow(path, lead, { word, column: start });
  if (last !== undefined && last.key !== null)
    return lead.trim() === "" ? { path, kind: "value", word, column: start } : null;
  return lead.trim() === "" ? { path, kind: "key", word, column: start } : null;
}

/** Reads the dashes and keys that a line begins with; `end` is the place after them. */
function readParts(line: string): { readonly parts: readonly Part[]; readonly end: number } {
  const parts: Part[] = [];
  let at = /^\s*/u.exec(line)?.[0].length ?? 0;
  while (/^-\s/u.test(line.slice(at, at + 2))) {
    parts.push({ column: at, key: null });
    at += /^-\s+/u.exec(line.slice(at))?.[0].length ?? 2;
  }
  keyHere.lastIndex = at;
  const found = keyHere.exec(line);
  if (found === null) return { parts, end: at };
  parts.push({ column: at, key: (found[1] ?? "").replaceAll(/^["']|["']$/gu, "") });
  return { parts, end: keyHere.lastIndex };
}

/** Returns the keys and dashes above a part that contain it, from the outermost. */
function parentsOf(
  lines: readonly string[],
  of: { readonly column: number; readonly isDash: boolean },
): string[] {
  const path: string[] = [];
  let { column, isDash } = of;
  for (const line of lines.toReversed()) {
    if (column === 0 && !isDash) break;
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    for (const part of readParts(line).parts.toReversed()) {
      const isParent = part.column < column || (isDash && part.key !== null && part.column === column);
      if (!isParent) continue;
      path.unshift(part.key ?? "*");
      column = part.column;
      isDash = part.key === null;
    }
  }
  return path;
}

/** Follows brackets that are opened in the line and not closed. */
function inFlow(
  path: readonly string[],
  lead: string,
  { word, column }: Pick<WrittenPlace, "word" | "column">,
): WrittenPlace | null {
  /** The path of each open bracket, with the key that is being written in it. */
  const open: { readonly bracket: string; readonly path: readonly string[]; key: string | null }[] = [];
  const pathNow = (): readonly string[] => {
    const inner = open.at(-1);
    if (inner === undefined) return path;
    return inner.key === null ? inner.path : [...inner.path, inner.key];
  };
  for (let at = 0; at < lead.length; at += 1) {
    const char = lead[at] ?? "";
    if (char === '"' || char === "'") {
      const end = lead.indexOf(char, at + 1);
      if (end === -1) return null;
      at = end;
    } else if (char === "{") open.push({ bracket: char, path: pathNow(), key: null });
    else if (char === "[") open.push({ bracket: char, path: [...pathNow(), "*"], key: null });
    else if (char === "}" || char === "]") open.pop();
    else {
      const inner = open.at(-1);
      if (char === "," && inner !== undefined) inner.key = null;
      keyHere.lastIndex = at;
      const key = inner?.bracket === "{" && inner.key === null ? keyHere.exec(lead) : null;
      if (inner !== undefined && key !== null) {
        inner.key = key[1] ?? "";
        at = keyHere.lastIndex - 1;
      }
    }
  }
  const inner = open.at(-1);
  if (inner === undefined) return null;
  const isValue = inner.key !== null || inner.bracket === "[";
  return { path: pathNow(), kind: isValue ? "value" : "key", word, column };
}

/** Returns the known words that are most like a word, best first. */
export function nearWords(word: string, known: Iterable<string>, most = 3): string[] {
  const least = Math.max(2, Math.floor(word.length / 3));
  return [...known]
    .map((each) => ({ each, distance: distanceOf(word, each, least) }))
    .filter(({ distance }) => distance <= least)
    .toSorted((a, b) => a.distance - b.distance || (a.each < b.each ? -1 : 1))
    .slice(0, most)
    .map(({ each }) => each);
}

/** Number of letters to change, add or leave out; more than `most` is not reckoned further. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const isSame = one[at] === other[index];
      next.push(
        Math.min((row[index] ?? 0) + (isSame ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      );
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[other.length] ?? most + 1;
}

/** Returns the schemas of an object's members. */
export function shapeOf(schema: z.ZodMiniObject): Readonly<Record<string, z.core.$ZodType>> {
  return schema.shape;
}

/** Returns a schema without what says that it is optional, and the alternatives of one that has some. */
export function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional)
    return alternativesOf(schema.def.innerType);
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(alternativesOf) : [schema];
}

/** Returns what a schema says of itself; null where it says nothing. */
export function descriptionOf(schema: z.core.$ZodType): Sentence | null {
  const description = z.globalRegistry.get(schema)?.description;
  if (description !== undefined) return sentenceOf(description);
  return schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional
    ? descriptionOf(schema.def.innerType)
    : null;
}

/** A rule, as the editor shows it to the author of a `guard.yaml`. */
export interface RuleFacts {
  readonly id: string;
  readonly family: GuardFamily;
  readonly action: RuleAction;
  readonly message: string;
  readonly remedy: string;
  /** It looks at more than one call, so that it can only be off or advise. */
  readonly isCode: boolean;
  /** A call on which it fires; in words for a rule that is code. Empty where none is given. */
  readonly example: string;
}

export function factsOf(rules: readonly GuardRule[], coded: readonly CodedRule[]): RuleFacts[] {
  return [
    ...rules.map((rule) => {
      const { id, family, message, remedy, fires } = rule;
      return { id, family, action: actionOf(rule), message, remedy, isCode: false, example: fires[0] ?? "" };
    }),
    ...coded.map(({ id, family, message, remedy, example }) => ({
      id,
      family,
      action: "advise" as const,
      message,
      remedy,
      isCode: true,
      example,
    })),
  ];
}
