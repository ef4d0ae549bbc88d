import * as z from "zod/mini";
import { isChoice, isCount, isFlag, isNumber, isText, isWhole, maybe, withCheck } from "./plain-value.ts";

/**
 * Field types of journal entries. Null means "not reported", and never erases an earlier value. Texts are names, ids
 * and paths, never the content of a tool's result or a file. A longer text is refused, not shortened: no real id is
 * longer.
 *
 * Each type also has a handwritten check (`plain.ts`): there may be hundreds of thousands of entries.
 */
const maxNameLength = 4096;

/** A text of at most `max` characters. */
function text(max: number, min = 0) {
  return withCheck(z.string().check(z.minLength(min), z.maxLength(max)), isText(max, min));
}

/** Of a sentence with its values, in a column of text. Characters. */
export const maxSentenceLength = 8000;

export function maybeText(max: number) {
  return withCheck(z._default(z.nullable(z.string().check(z.maxLength(max))), null), maybe(isText(max)));
}

/** One of the given words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return withCheck(z.enum(words), isChoice(words));
}

export function maybeChoice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return withCheck(z._default(z.nullable(z.enum(words)), null), maybe(isChoice(words)));
}

/** Like `choice`, with a default for the most frequent word. */
export function choiceOr<const Words extends readonly [string, ...string[]]>(
  words: Words,
  usual: Words[number],
) {
  const isOne = isChoice(words);
  return withCheck(z._default(z.enum(words), usual), (value) => value === undefined || isOne(value));
}

export const name = text(maxNameLength);
export const id = text(maxNameLength, 1);
/** Whole and not negative: tokens, bytes, milliseconds, calls. */
export const count = withCheck(z.int().check(z.nonnegative()), isCount);
/** Milliseconds since the epoch. */
export const time = withCheck(z.int(), isWhole);
export const flag = withCheck(z.boolean(), isFlag);
export const number = withCheck(z.number(), isNumber);

export const maybeName = maybeText(maxNameLength);
export const maybeCount = withCheck(z._default(z.nullable(count), null), maybe(isCount));
export const maybeTime = withCheck(z._default(z.nullable(time), null), maybe(isWhole));
export const maybeFlag = withCheck(z._default(z.nullable(flag), null), maybe(isFlag));
export const maybeNumber = withCheck(z._default(z.nullable(number), null), maybe(isNumber));

export function entryOf<Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) {
  return z.object({ kind: z.literal(kind), ...shape });
}
