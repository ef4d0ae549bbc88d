import * as z from "zod/mini";
import { sentenceOf, type Sentence } from "../../base/language.ts";
import { type GuardRule, type CodedRule } from "../calls/rule.ts";
import { actionOf, type RuleAction } from "../calls/rule-action.ts";
import type { GuardFamily } from "../../settings/guard.ts";

/** A place in a YAML text. */
export interface WrittenPlace {
  /** Keys that lead to it, with `*` for an entry of a list; including the key of a value. */
  readonly path: readonly string[];
  readonly kind: "key" | "value";
  /** The word before the place, and its column. */
  readonly word: string;
  readonly column: number;
}

/** A key or an entry's dash in a line, from left to right. */
interface Part {
  readonly column: number;
  /** Null for a dash. */
  readonly key: string | null;
}

/** Maximum lines above that are read. */
const maxLines = 20_000;
const keyHere = /([\w-]+|"[^"]*"|'[^']*')\s*:(?=\s|$)/uy;

/**
 * Returns what is written at a place, by the indentation of the lines above: an unfinished text is seldom valid YAML. Null in a
 * comment, a quoted text or a block of text.
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
  const outer = parentsOf(lines.slice(Math.max(0, line - maxLines), line), {
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

/** Reads the dashes and keys at the start of a line; `end` is the place after them. */
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

export function shapeOf(schema: z.ZodMiniObject): Readonly<Record<string, z.core.$ZodType>> {
  return schema.shape;
}

/** Returns a schema without its default or optional wrappers, and the alternatives of a union. */
export function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional)
    return alternativesOf(schema.def.innerType);
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(alternativesOf) : [schema];
}

/** Returns a schema's description; null for none. */
export function descriptionOf(schema: z.core.$ZodType): Sentence | null {
  const description = z.globalRegistry.get(schema)?.description;
  if (description !== undefined) return sentenceOf(description);
  return schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional
    ? descriptionOf(schema.def.innerType)
    : null;
}

/** A rule, as an editor shows it to the author of a `guard.yaml`. */
export interface RuleFacts {
  readonly id: string;
  readonly family: GuardFamily;
  readonly action: RuleAction;
  readonly message: string;
  readonly remedy: string;
  /** It looks at more than one call, so that it can only be off or advise. */
  readonly isCode: boolean;
  /** A call on which it fires; a description for a coded rule. Empty for none. */
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
