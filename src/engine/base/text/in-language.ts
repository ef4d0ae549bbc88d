import { filled, translatedMessages, type Translation } from "./l10n.ts";
import { figureInLanguage } from "./local-format.ts";
import { withFullStop } from "./text.ts";

/** A sentence with placeholders, to recognize what was made of it. */
interface Template {
  readonly message: string;
  /** Literal texts around the placeholders: one more than there are placeholders. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
  /** Number of literal characters: of several templates that fit, the one with most is meant. */
  readonly weight: number;
}

/** Values by the names of their placeholders. */
type Values = readonly (readonly [name: string, value: string])[];

/** Minimum literal letters of a template: with fewer, it would match unrelated texts. */
const minLetters = 4;

/** Minimum literal letters of a template with values that may be several sentences. */
const minSpecificLetters = 8;

/** Maximum texts with a stored translation. */
const maxEntries = 1000;

/** Maximum parts of a text, sentences and separators, that are tried as one message. */
const maxParts = 19;

/**
 * Maximum parts translated per text: a person is shown no more, and each is matched against every template.
 */
const maxTranslatedParts = 100;

/** A text in the user's language, and whether all of it was recognized. */
interface Worded {
  readonly text: string;
  readonly isWhole: boolean;
}

interface Index {
  readonly messages: Translation["messages"];
  readonly templates: readonly Template[];
  /** Those of the templates that may fit a text that begins with this character, filled on demand. */
  readonly byStart: Map<string, readonly Template[]>;
}

let index: Index | undefined;
const kept = new Map<string, Worded>();

/**
 * Translates a text that the service or a worker made with `english`, of one sentence or several. Other text
 * stays unchanged. Not for text from outside, such as a name, which might happen to be one of our sentences.
 */
export function inLanguage(text: string): string {
  return worded(text).text;
}

function worded(text: string): Worded {
  const messages = translatedMessages();
  if (messages === undefined) return { text, isWhole: false };
  if (index?.messages !== messages) {
    index = { messages, templates: templatesOf(Object.keys(messages)), byStart: new Map() };
    kept.clear();
  }
  const known = kept.get(text);
  if (known !== undefined) return known;
  const found = sentences(text, index);
  if (kept.size >= maxEntries) kept.clear();
  kept.set(text, found);
  return found;
}

/** Words as many sentences as possible at once, since a message may consist of several. */
function sentences(text: string, of: Index): Worded {
  const parts = partsOf(text);
  const translatedParts: string[] = [];
  let isWhole = true;
  let from = 0;
  while (from < Math.min(parts.length, maxTranslatedParts)) {
    const last = Math.min(parts.length, from + maxParts);
    // A message neither begins nor ends with a separator of two sentences.
    const ends = Array.from({ length: Math.ceil((last - from) / 2) }, (_, at) => last - 2 * at);
    const spans = ends.map((to) => ({ to, span: parts.slice(from, to).join("") }));
    const likely = firstOf(spans, (span) => sentence(span, of, isLikely));
    const found =
      likely ??
      firstOf(spans, (span) => sentence(span, of, isSpecificAndPlain)) ??
      firstOf(spans, (span) => sentence(span, of, isSpecific));
    const to = found?.to ?? from + 1;
    translatedParts.push(found?.text ?? parts[from] ?? "", parts[to] ?? "");
    isWhole &&= likely !== null;
    from = to + 1;
  }
  return {
    text: [...translatedParts, ...parts.slice(from)].join(""),
    isWhole: isWhole && from >= parts.length,
  };
}

/** Splits into sentences and what is between them, in turn: an odd number of parts. Quoted text is within one. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let begun = 0;
  for (const { 0: found, index: at } of text.matchAll(/"(?:[^"\\\n]|\\.){0,1000}"|(?<=[.:?]) |; |\n+/gu)) {
    if (found.startsWith('"')) continue;
    parts.push(text.slice(begun, at), found);
    begun = at + found.length;
  }
  return [...parts, text.slice(begun)];
}

function firstOf(
  spans: readonly { readonly to: number; readonly span: string }[],
  wordedOf: (span: string) => string | null,
): { readonly to: number; readonly text: string } | null {
  for (const { to, span } of spans) {
    const text = wordedOf(span);
    if (text !== null) return { to, text };
  }
  return null;
}

/**
 * A value is more likely a single sentence, since a following one is not part of it. An exception are texts
 * in which every part is a known sentence.
 */
function isLikely({ literals }: Template, values: Values): boolean {
  const isShort = lettersOf(literals.join("")) < minSpecificLetters;
  return values.every(([name, value]) => {
    if (!isBalanced(value)) return false;
    if (name.startsWith("said") && worded(value).isWhole) return true;
    // A short template, such as `With {saidName}`, would match most sentences.
    if (isShort && name.startsWith("said") && /\s/u.test(value)) return false;
    return partsOf(value).length === 1 && !value.endsWith(":");
  });
}

/** Whether no parenthesis ends or begins in the middle of another value. */
function isBalanced(value: string): boolean {
  let open = 0;
  for (const [mark] of value.matchAll(/[()]/gu)) {
    open += mark === "(" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}

/**
 * A short template, such as `{0} with {1}`, matches many unrelated texts. Its values may not be several
 * sentences.
 */
function isSpecific({ literals, names }: Template): boolean {
  return lettersOf(literals.join("")) >= minSpecificLetters || names.some((name) => name.startsWith("said"));
}

/** Only `said…` placeholders may contain several sentences: a name rarely does. */
function isSpecificAndPlain(template: Template, values: Values): boolean {
  const isPlain = values.every(([name, value]) => name.startsWith("said") || partsOf(value).length === 1);
  return isPlain && isSpecific(template);
}

type IsMeant = (template: Template, values: Values) => boolean;

/** A failure may have a full stop added before another sentence, and one of our words a colon. */
function sentence(text: string, of: Index, isMeant: IsMeant): string | null {
  const exact = messageIn(text, of, isMeant);
  if (exact !== null) return exact;
  const inside = text.slice(0, -1);
  if (text.endsWith(":")) return Object.hasOwn(of.messages, inside) ? `${of.messages[inside] ?? ""}:` : null;
  const open = text.endsWith(".") ? messageIn(inside, of, isMeant) : null;
  return open === null ? null : withFullStop(open);
}

function messageIn(text: string, of: Index, isMeant: IsMeant): string | null {
  const { messages } = of;
  if (Object.hasOwn(messages, text)) return messages[text] ?? null;
  for (const template of templatesFor(text, of)) {
    const values = valuesIn(text, template);
    if (values !== null && isMeant(template, values))
      return filled(messages[template.message] ?? template.message, [
        Object.fromEntries(values.map(([name, value]) => [name, valueInLanguage(name, value)])),
      ]);
  }
  return null;
}

function templatesFor(text: string, { templates, byStart }: Index): readonly Template[] {
  const start = text.charAt(0);
  const known = byStart.get(start);
  if (known !== undefined) return known;
  const fitting = templates.filter(({ literals: [first = ""] }) => first === "" || first.startsWith(start));
  byStart.set(start, fitting);
  return fitting;
}

/** Heaviest first. Among equals, those first that mark which of their values are sentences. */
function templatesOf(messages: readonly string[]): Template[] {
  return messages
    .filter((message) => message.includes("{"))
    .map((message): Template => {
      const parts = message.split(/\{(\w+)\}/u);
      const literals = parts.filter((_, at) => at % 2 === 0);
      const names = parts.filter((_, at) => at % 2 === 1);
      return { message, literals, names, weight: literals.join("").length };
    })
    .filter(({ names, literals }) => names.length > 0 && lettersOf(literals.join("")) >= minLetters)
    .toSorted(
      (one, other) => other.weight - one.weight || countSentenceValues(other) - countSentenceValues(one),
    );
}

function countSentenceValues({ names }: Template): number {
  return names.filter((name) => name.startsWith("said")).length;
}

function lettersOf(text: string): number {
  return text.replaceAll(/[^A-Za-z]/gu, "").length;
}

/** Returns the values that the template was filled with, by name; null where the text is not made of it. */
function valuesIn(text: string, { literals, names }: Template): Values | null {
  const [first = ""] = literals;
  const last = literals.at(-1) ?? "";
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return null;
  const values = new Map<string, string>();
  const end = text.length - last.length;
  let at = first.length;
  for (const [place, name] of names.entries()) {
    const literal = literals[place + 1] ?? "";
    const until = place === names.length - 1 ? end : text.indexOf(literal, at);
    if (until < at || until > end) return null;
    const value = text.slice(at, until);
    const before = values.get(name);
    if (before !== undefined && before !== value) return null;
    values.set(name, value);
    at = until + literal.length;
  }
  return [...values];
}

function valueInLanguage(name: string, value: string): string {
  const figure = figureInLanguage(value);
  if (figure !== null) return figure;
  // Translates each item of a list that is one of our sentences.
  if (name.startsWith("saidEach")) return value.split(", ").map(inLanguage).join(", ");
  return name.startsWith("said") ? inLanguage(value) : value;
}
