import * as z from "zod/mini";
import { LineCounter, isMap, isScalar, isSeq, parseDocument, type Node } from "yaml";
import { compose, joinSentences, sentence, sentenceOf, type Sentence } from "../../base/language.ts";
import { pathKinds } from "../calls/path-kinds.ts";
import { guardFile } from "./file-schema.ts";
import type { RuleChecks } from "./read-config.ts";
import {
  type WrittenPlace,
  placeAt,
  shapeOf,
  descriptionOf,
  alternativesOf,
  type RuleFacts,
} from "./place-at.ts";

export interface Suggestion {
  readonly kind: "key" | "rule" | "value";
  readonly text: string;
  /** Null for none. */
  readonly description: Sentence | null;
}

export interface SuggestInput {
  readonly scope: RuleChecks["scope"];
  readonly rules: readonly RuleFacts[];
  /** Suggested ends of an exception: `2026-12-31`. */
  readonly days: readonly string[];
}

export interface Suggested {
  readonly place: WrittenPlace;
  readonly suggestions: readonly Suggestion[];
}

/** Returns suggestions at a place of a `guard.yaml`: keys and values of its schema, ids of rules, kinds of paths. */
export function suggestAt(
  text: string,
  at: { readonly line: number; readonly column: number },
  input: SuggestInput,
): Suggested | null {
  const place = placeAt(text, at);
  if (place === null) return null;
  const suggestions = place.kind === "key" ? keysOf(place.path, input) : valuesOf(place.path, input);
  return { place, suggestions };
}

/** Returns the description of the key at the end of a path; null for none. */
export function describeKey(path: readonly string[]): Sentence | null {
  const descriptions = schemasAt(path.slice(0, -1))
    .flatMap((schema) => inner(schema, path.at(-1) ?? ""))
    .flatMap((schema) => descriptionOf(schema) ?? []);
  return descriptions.length === 0 ? null : joinSentences(descriptions, " ");
}

/** A project's file cannot have exceptions. */
const onlyUsers: readonly string[] = ["exceptions"];

function keysOf(path: readonly string[], { scope, rules }: SuggestInput): Suggestion[] {
  if (path.length === 1 && path[0] === "set") return rules.flatMap(ruleSuggestion);
  const shapes = schemasAt(path).flatMap((schema) =>
    schema instanceof z.ZodMiniObject ? [shapeOf(schema)] : [],
  );
  const found = new Map(shapes.flatMap((shape) => Object.entries(shape)));
  return [...found]
    .filter(([key]) => scope === "user" || path.length > 0 || !onlyUsers.includes(key))
    .map(([key, schema]) => ({ kind: "key", text: key, description: descriptionOf(schema) }));
}

function valuesOf(path: readonly string[], { scope, rules, days }: SuggestInput): Suggestion[] {
  const values = (texts: readonly string[], description: Sentence | null = null): Suggestion[] =>
    texts.map((text) => ({ kind: "value", text, description }));
  const last = path.at(-1) ?? "";
  const isAllowed = (text: string): boolean => scope === "user" || !["off", "deny"].includes(text);
  if (path[0] === "exceptions") {
    if (last === "rule") return rules.flatMap(ruleSuggestion);
    return last === "until" ? values(days, sentence("Only before this day.")) : [];
  }
  if (path[0] === "set") {
    const isCoded = rules.some(({ id, isCode }) => id === last && isCode);
    return values(isCoded ? ["off", "advise"] : ["off", "advise", "ask", "deny"]).filter(({ text }) =>
      isAllowed(text),
    );
  }
  if (["path", "notPath", "fromFile", "givenFile"].includes(last))
    return values(pathKinds, sentence("Kind of path."));
  return schemasAt(path).flatMap((schema) => {
    if (schema instanceof z.ZodMiniEnum)
      return values(schema.options.map(String)).filter(({ text }) => isAllowed(text));
    return schema instanceof z.ZodMiniLiteral ? values(schema.def.values.map(String)) : [];
  });
}

function ruleSuggestion({ id, message, family }: RuleFacts): Suggestion[] {
  return [{ kind: "rule", text: id, description: compose`${family}: ${sentenceOf(message)}` }];
}

/** Returns the schemas that a path leads to; several if alternatives have the same keys. */
function schemasAt(path: readonly string[]): readonly z.core.$ZodType[] {
  return path.reduce<readonly z.core.$ZodType[]>(
    (schemas, key) => schemas.flatMap((schema) => inner(schema, key)).flatMap(alternativesOf),
    alternativesOf(guardFile),
  );
}

function inner(schema: z.core.$ZodType, key: string): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniObject) {
    const found = shapeOf(schema)[key];
    return found === undefined ? [] : [found];
  }
  if (schema instanceof z.ZodMiniArray) return key === "*" ? [schema.def.element] : [];
  return schema instanceof z.ZodMiniRecord ? [schema.def.valueType] : [];
}

/** A part of a `guard.yaml` that is about one rule. Lines begin with 0. */
export interface OutlineItem {
  readonly kind: "set" | "exception" | "rule";
  /** The rule's id as it is written. */
  readonly id: string;
  readonly line: number;
  /** Day before which an exception holds: `2026-12-31`. */
  readonly until: string | null;
}

/** Maximum length of a file with an outline. Characters. */
const maxLength = 500_000;

/** Returns the parts of a file, which may be incomplete, as far as it can be read. */
export function outlineOf(text: string): OutlineItem[] {
  if (text.length > maxLength) return [];
  const lines = new LineCounter();
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, lineCounter: lines });
  const { contents } = document;
  if (!isMap(contents)) return [];
  const at = (node: unknown): number => {
    const range = isScalar(node) || isMap(node) ? node.range : undefined;
    return range === null || range === undefined ? 0 : lines.linePos(range[0]).line - 1;
  };
  const set: unknown = contents.get("set", true);
  const changed = isMap(set)
    ? set.items.flatMap(({ key }) => {
        const id = textOf(key);
        return id === null ? [] : [{ kind: "set", id, line: at(key), until: null } as const];
      })
    : [];
  return [
    ...changed,
    ...itemsOf(contents.get("exceptions", true)).flatMap((item) => {
      const id = isMap(item) ? textOf(item.get("rule", true)) : null;
      if (id === null || !isMap(item)) return [];
      return [{ kind: "exception", id, line: at(item), until: textOf(item.get("until", true)) } as const];
    }),
    ...itemsOf(contents.get("rules", true)).flatMap((item) => {
      const id = isMap(item) ? textOf(item.get("id", true)) : null;
      return id === null ? [] : [{ kind: "rule", id, line: at(item), until: null } as const];
    }),
  ];
}

function itemsOf(node: unknown): readonly unknown[] {
  return isSeq<Node>(node) ? node.items : [];
}

function textOf(node: unknown): string | null {
  if (!isScalar(node)) return null;
  return typeof node.value === "string" ? node.value : null;
}
