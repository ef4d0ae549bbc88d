import assert from "node:assert/strict";
import { isSentence } from "../../../src/engine/base/language.ts";

/**
 * `node:assert/strict` for values with sentences: each sentence is compared by its English text, so that a test
 * reads `detail: "there is no budget"`.
 */
function withTexts(value: unknown): unknown {
  if (isSentence(value)) return value.text;
  if (Array.isArray(value)) return changed(value, value.map(withTexts));
  if (value instanceof Map)
    return new Map(Array.from(value, ([key, each]): [unknown, unknown] => [key, withTexts(each)]));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  const worded = entries.map(([name, each]): [string, unknown] => [name, withTexts(each)]);
  const isSame = worded.every(([, each], at) => each === entries[at]?.[1]);
  return isSame ? value : Object.fromEntries(worded);
}

function changed(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((each, at) => each === before[at]) ? before : after;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

type Message = string | Error;

function deepEqual<T>(actual: unknown, expected: T, message?: Message): asserts actual is T {
  assert.deepEqual(withTexts(actual), withTexts(expected), message);
}

function notDeepEqual(actual: unknown, expected: unknown, message?: Message): void {
  assert.notDeepEqual(withTexts(actual), withTexts(expected), message);
}

function partialDeepStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  assert.partialDeepStrictEqual(withTexts(actual), withTexts(expected), message);
}

function equal<T>(actual: unknown, expected: T, message?: Message): asserts actual is T {
  assert.equal(withTexts(actual), withTexts(expected), message);
}

function notEqual(actual: unknown, expected: unknown, message?: Message): void {
  assert.notEqual(withTexts(actual), withTexts(expected), message);
}

function match(actual: unknown, pattern: RegExp, message?: Message): void {
  assert.match(textOf(actual), pattern, message);
}

function doesNotMatch(actual: unknown, pattern: RegExp, message?: Message): void {
  assert.doesNotMatch(textOf(actual), pattern, message);
}

function textOf(actual: unknown): string {
  const text = withTexts(actual);
  assert.ok(typeof text === "string", `not a text: ${JSON.stringify(actual)}`);
  return text;
}

/** Its own assertions. TypeScript narrows by an assertion only if its type is declared. */
interface Own {
  readonly deepEqual: typeof deepEqual;
  readonly notDeepEqual: typeof notDeepEqual;
  readonly partialDeepStrictEqual: typeof partialDeepStrictEqual;
  readonly equal: typeof equal;
  readonly notEqual: typeof notEqual;
  readonly match: typeof match;
  readonly doesNotMatch: typeof doesNotMatch;
}

const own: Own = { deepEqual, notDeepEqual, partialDeepStrictEqual, equal, notEqual, match, doesNotMatch };

const texts: Omit<typeof assert, keyof Own> & Own = { ...assert, ...own };

export { texts as assert };
