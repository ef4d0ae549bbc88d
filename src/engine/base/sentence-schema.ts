import * as z from "zod/mini";
import { readJson } from "./parse.ts";
import { plainSentence, type Sentence, type SentenceValue } from "./language.ts";

const value: z.ZodMiniType<SentenceValue> = z.lazy(() =>
  z.union([z.string(), z.number(), shape, z.array(shape)]),
);

const shape: z.ZodMiniType<Sentence> = z.lazy(() =>
  z.object({ text: z.string(), key: z.string(), values: z.record(z.string(), value) }),
);

const read = z.transform(toSentence);

/**
 * A sentence, as it is sent or as a column of text stores it. Another text, as earlier versions stored it and as
 * commands print it, is shown unchanged.
 */
export const sentenceSchema = z.pipe(z.union([z.string(), shape]), read);

/** A sentence whose English text has at most so many characters. */
export function sentenceUpTo(maxLength: number) {
  const bounded = shape.check(z.refine(({ text }) => text.length <= maxLength));
  return z.pipe(z.union([z.string().check(z.maxLength(maxLength)), bounded]), read);
}

export function toSentence(stored: string | Sentence): Sentence {
  return typeof stored === "string" ? readStoredSentence(stored) : stored;
}

/** Returns a sentence for a column of text. A sentence that is too long as a value is stored as its English text. */
export function storedSentence(said: Sentence, maxLength: number): string {
  const json = JSON.stringify(said);
  return json.length <= maxLength ? json : said.text;
}

/** Reads a column's sentence. Earlier versions stored the English text. */
export function readStoredSentence(stored: string): Sentence {
  const value = stored.startsWith("{") ? readJson(shape, stored) : null;
  return value ?? plainSentence(stored);
}

/** A schema with the text that its JSON schema shows. */
export function described<Schema extends z.ZodMiniType>(schema: Schema, text: string): Schema {
  return schema.check(z.describe(text));
}
