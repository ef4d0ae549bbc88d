import { filled, translated, type Value } from "./text/l10n.ts";
import { figureInLanguage } from "./text/local-format.ts";

export {
  installTranslation,
  language,
  plural,
  t,
  translated,
  translationKey,
  type Translation,
} from "./text/l10n.ts";

/** A value of a sentence. Several sentences are joined by commas. */
export type SentenceValue = Value | Sentence | readonly Sentence[];

/**
 * A message of the engine for a person. One service serves people of several languages, so a sentence is sent and
 * stored as a value. The code that shows it translates it with `inWords`.
 */
export interface Sentence {
  /** The sentence in English, for logs, files and programs. */
  readonly text: string;
  /** The English sentence with its placeholders, by which translations are found. */
  readonly key: string;
  readonly values: Readonly<Record<string, SentenceValue>>;
}

/** The key of a text that is not translated. */
const plainKey = "{0}";

/**
 * Makes a sentence: `sentence("{0} of {1} runs", done, all)`, or by name, `sentence("Held back: {why}", { why })`.
 *
 * @param key the English sentence, always a literal, since `npm run l10n` collects it from the source
 */
export function sentence(key: string, ...values: readonly SentenceValue[]): Sentence;
export function sentence(key: string, values: Sentence["values"]): Sentence;
export function sentence(key: string, ...values: readonly (SentenceValue | Sentence["values"])[]): Sentence {
  return sentenceOf(key, namedValues(values));
}

/** Makes a sentence with a key that is not a literal, such as a rule's message from the catalogue. */
export function sentenceOf(key: string, values: Sentence["values"] = {}): Sentence {
  return { text: worded(key, values, englishValue), key, values };
}

/** Makes a sentence of a text that is shown as it is, such as a name or what another program printed. */
export function plainSentence(text: string): Sentence {
  return { text, key: plainKey, values: { 0: text } };
}

/**
 * Puts sentences and texts together: `` compose`${file}: ${why}` ``. For punctuation between them only: `npm run l10n`
 * does not collect it.
 */
export function compose(between: TemplateStringsArray, ...values: readonly SentenceValue[]): Sentence {
  const key = between.map((text, at) => (at === 0 ? text : `{${at - 1}}${text}`)).join("");
  return sentenceOf(key, namedValues(values));
}

/** Joins sentences to one: `joinSentences([one, other], "; ")`. */
export function joinSentences(parts: readonly Sentence[], separator: string): Sentence {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return sentenceOf(parts.map((_, at) => `{${at}}`).join(separator), namedValues(parts));
}

/** Returns a sentence in the user's language. A part without a translation is in English. */
export function inWords(said: Sentence): string {
  if (said.key === plainKey) return said.text;
  return worded(translated(said.key), said.values, valueInWords);
}

/** Returns a sentence with its text and texts among its values changed, for example with secrets removed. */
export function mapSentence(said: Sentence, change: (text: string) => string): Sentence {
  const values = Object.entries(said.values).map(([name, value]) => [name, mapValue(value, change)] as const);
  return { text: change(said.text), key: said.key, values: Object.fromEntries(values) };
}

export function isSentence(value: unknown): value is Sentence {
  return (
    typeof value === "object" &&
    value !== null &&
    "text" in value &&
    typeof value.text === "string" &&
    "key" in value &&
    typeof value.key === "string" &&
    "values" in value &&
    typeof value.values === "object" &&
    value.values !== null
  );
}

function mapValue(value: SentenceValue, change: (text: string) => string): SentenceValue {
  if (typeof value === "string") return change(value);
  if (typeof value === "number") return value;
  return isSentence(value) ? mapSentence(value, change) : value.map((each) => mapSentence(each, change));
}

function namedValues(values: readonly (SentenceValue | Sentence["values"])[]): Sentence["values"] {
  const named: Record<string, SentenceValue> = {};
  for (const [at, value] of values.entries()) {
    if (!isValue(value)) return value;
    named[at] = value;
  }
  return named;
}

function isValue(value: SentenceValue | Sentence["values"]): value is SentenceValue {
  return typeof value !== "object" || Array.isArray(value) || isSentence(value);
}

function worded(key: string, values: Sentence["values"], wordsOf: (value: SentenceValue) => string): string {
  const words = Object.entries(values).map(([name, value]) => [name, wordsOf(value)] as const);
  return words.length === 0 ? key : filled(key, [Object.fromEntries(words)]);
}

function englishValue(value: SentenceValue): string {
  if (typeof value !== "object") return String(value);
  return isSentence(value) ? value.text : value.map(({ text }) => text).join(", ");
}

function valueInWords(value: SentenceValue): string {
  if (typeof value === "string") return figureInLanguage(value) ?? value;
  if (typeof value === "number") return String(value);
  return isSentence(value) ? inWords(value) : value.map(inWords).join(", ");
}

/** Messages of zod and yaml about a file that a person wrote. Both libraries give them as English text only. */
export const libraryMessages: readonly string[] = [
  "Invalid input",
  "Invalid input: expected {0}",
  "Invalid input: expected {0}, received {1}",
  "Invalid key in record",
  "Invalid ISO date",
  "Invalid number: must be a multiple of {0}",
  "Invalid option: expected one of {0}",
  "Invalid string: must match pattern {0}",
  "Too big: expected {0} to be <={1}",
  "Too big: expected {0} to have <={1} characters",
  "Too big: expected {0} to have <={1} items",
  "Too small: expected {0} to be >={1}",
  "Too small: expected {0} to be >{1}",
  "Too small: expected {0} to have >={1} characters",
  "Too small: expected {0} to have >={1} items",
  "Unrecognized key: {0}",
  "Unrecognized keys: {0}",
  "All mapping items must start at the same column",
  "Implicit keys need to be on a single line",
  "Implicit map keys need to be followed by map values",
  "Map keys must be unique",
  "Nested mappings are not allowed in compact mappings",
  "Unexpected scalar at node end",
];

const templates = libraryMessages
  .filter((key) => key.includes("{"))
  .toSorted((one, other) => other.length - one.length)
  .map((key) => ({ key, pattern: patternOf(key) }));

/** Makes a sentence of a library's message, or of our own message without values that a schema passed on. */
export function librarySentence(message: string): Sentence {
  for (const { key, pattern } of templates) {
    const found = pattern.exec(message);
    if (found !== null)
      return sentenceOf(key, Object.fromEntries(found.slice(1).map((value, at) => [String(at), value])));
  }
  return sentenceOf(message);
}

function patternOf(key: string): RegExp {
  const parts = key.split(/\{\d\}/u).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join("(.+)")}$`, "su");
}
