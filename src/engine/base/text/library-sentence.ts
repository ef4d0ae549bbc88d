import { sentenceOf, type Sentence } from "./sentence.ts";

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
