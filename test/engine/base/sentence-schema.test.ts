import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceSchema, sentenceUpTo } from "../../../src/engine/base/sentence-schema.ts";
import { plainSentence, sentence } from "../../../src/engine/base/language.ts";

test("reads a stored sentence, and a text of an earlier version", () => {
  const said = sentence("Held back: {why}", { why: sentence("no response yet") });
  assert.deepEqual(sentenceSchema.parse(JSON.parse(JSON.stringify(said))), said);
  assert.deepEqual(sentenceSchema.parse("Held back"), plainSentence("Held back"));
  assert.equal(sentenceSchema.safeParse({ text: "Held back" }).success, false);
});

test("refuses a sentence or a text that is too long", () => {
  const short = sentenceUpTo(5);
  for (const text of ["12345", plainSentence("12345")]) assert.equal(short.parse(text).text, "12345");
  for (const text of ["123456", plainSentence("123456")]) assert.equal(short.safeParse(text).success, false);
});
