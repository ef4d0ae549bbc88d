import { plainSentence, type Sentence, sentence } from "../../base/language.ts";
import * as z from "zod/mini";
import {
  type WrittenPlace,
  placeAt,
  alternativesOf,
  descriptionOf,
  shapeOf,
} from "../../guard/guard-rules.ts";
import { displayNameOf, handoverWords } from "../../continuity/handover.ts";
import { definitionHead, usualTools } from "./recurring-agents-schema.ts";

interface HeadSuggestion {
  readonly kind: "key" | "value";
  readonly text: string;
  readonly description: Sentence | null;
}

export interface HeadSuggested {
  readonly place: WrittenPlace;
  readonly suggestions: readonly HeadSuggestion[];
}

/** From 0. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** Keys and values of the schema. Null outside of the head. */
export function suggestInHead(text: string, at: FilePlace): HeadSuggested | null {
  const head = headUpTo(text, at.line);
  if (head === null) return null;
  const place = placeAt(head.above, { line: at.line - 1, column: at.column });
  if (place === null) return null;
  const keys = place.kind === "key" ? keysAt(place.path) : [];
  const suggestions = keys.filter(({ text: key }) => place.path.length > 0 || !head.otherKeys.has(key));
  // An entry of a list may be a key or a value.
  return { place, suggestions: keys.length > 0 ? suggestions : valuesAt(place.path) };
}

/** Null without a description. */
export function describeHeadKey(text: string, at: FilePlace, key: string): Sentence | null {
  const head = headUpTo(text, at.line);
  const place = head === null ? null : placeAt(head.above, { line: at.line - 1, column: at.column });
  if (place?.kind !== "key") return null;
  const [described] = schemasAt(place.path)
    .flatMap((schema) => innerOf(schema, key))
    .map(descriptionOf)
    .filter((each) => each !== null);
  return described ?? null;
}

/** The head's lines up to a line, and the keys of its other lines. Null outside of the lines of ---. */
function headUpTo(
  text: string,
  line: number,
): { readonly above: string; readonly otherKeys: ReadonlySet<string> } | null {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  const isBound = (each: string) => /^---[ \t]*$/u.test(each);
  if (!isBound(lines[0] ?? "")) return null;
  const found = lines.findIndex((each, index) => index > 0 && isBound(each));
  const end = found === -1 ? lines.length : found;
  if (line < 1 || line >= end) return null;
  const others = lines.slice(1, end).filter((_, index) => index !== line - 1);
  return {
    above: lines.slice(1, line + 1).join("\n"),
    otherKeys: new Set(others.flatMap((each) => /^([\w-]+)\s*:/u.exec(each)?.[1] ?? [])),
  };
}

function keysAt(path: readonly string[]): HeadSuggestion[] {
  const shapes = schemasAt(path).flatMap((schema) =>
    schema instanceof z.ZodMiniObject ? [shapeOf(schema)] : [],
  );
  return shapes
    .flatMap((shape) => Object.entries(shape))
    .map(([text, inner]) => ({ kind: "key", text, description: descriptionOf(inner) }));
}

/** Cron expressions. */
const usualSchedules = [
  ['"*/30 8-18 * * 1-5"', sentence("Every half hour of a working day.")],
  ['"0 * * * *"', sentence("Every hour.")],
  ['"0 9 * * 1-5"', sentence("At nine on working days.")],
  ['"0 3 * * *"', sentence("At three every night.")],
] as const;

function valuesAt(path: readonly string[]): HeadSuggestion[] {
  const values = (texts: readonly string[], description: Sentence | null = null): HeadSuggestion[] =>
    texts.map((text) => ({ kind: "value", text, description }));
  switch (path.join(".")) {
    case "program":
      return handoverWords.map((text) => ({
        kind: "value",
        text,
        description: plainSentence(displayNameOf(text)),
      }));
    case "schedule":
      return usualSchedules.map(([text, description]) => ({ kind: "value", text, description }));
    case "timezone":
      return values(Intl.supportedValuesOf("timeZone"));
    case "tools.*":
      return values(usualTools);
  }
  return schemasAt(path).flatMap((schema) => {
    if (schema instanceof z.ZodMiniEnum) return values(schema.options.map(String));
    if (schema instanceof z.ZodMiniBoolean) return values(["true", "false"]);
    return schema instanceof z.ZodMiniLiteral ? values(schema.def.values.map(String)) : [];
  });
}

/** `*` stands for an entry of a list. Several if there are alternatives. */
function schemasAt(path: readonly string[]): readonly z.core.$ZodType[] {
  return path.reduce<readonly z.core.$ZodType[]>(
    (schemas, key) => schemas.flatMap((schema) => innerOf(schema, key)).flatMap(alternativesOf),
    alternativesOf(definitionHead),
  );
}

function innerOf(schema: z.core.$ZodType, key: string): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniArray) return key === "*" ? [schema.def.element] : [];
  if (!(schema instanceof z.ZodMiniObject) || !Object.hasOwn(schema.shape, key)) return [];
  const found = shapeOf(schema)[key];
  return found === undefined ? [] : [found];
}
