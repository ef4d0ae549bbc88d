import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import fc from "fast-check";
import { sentenceSchema } from "../../../../src/engine/base/sentence-schema.ts";
import {
  librarySentence,
  compose,
  inWords,
  isSentence,
  joinSentences,
  mapSentence,
  plainSentence,
  sentence,
  type Sentence,
  type SentenceValue,
} from "../../../../src/engine/base/language.ts";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { printedJson } from "../../../../src/engine/base/text/printed-json.ts";
import { german } from "../../support/translation.ts";

const messages = {
  "There is no budget {0}.": "Es gibt kein Budget {0}.",
  "{0} of {1} tokens are spent.": "Von {1} Token sind {0} verbraucht.",
  "Held back: {why}": "Zurückgehalten: {why}",
  "Invalid option: expected one of {0}": "Ungültig: erwartet wird eines von {0}",
  unchanged: "unverändert",
  Done: "Fertig",
};

describe("a sentence", () => {
  afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

  test("has its English text, and is in English without a translation", () => {
    const said = sentence("There is no budget {0}.", "fleet");
    assert.equal(said.text, "There is no budget fleet.");
    assert.equal(inWords(said), said.text);
  });

  test("takes values by place or by name, in the language's order, with numbers in its format", () => {
    installTranslation(german(messages));
    assert.deepEqual(
      [
        sentence("There is no budget {0}.", "fleet"),
        sentence("{0} of {1} tokens are spent.", "1,200.5", "1.10"),
        sentence("{0} of {1} tokens are spent.", { 0: 3, 1: 9 }),
      ].map(inWords),
      [
        "Es gibt kein Budget fleet.",
        "Von 1.10 Token sind 1.200,5 verbraucht.",
        "Von 9 Token sind 3 verbraucht.",
      ],
    );
  });

  test("translates sentences among its values and no other text: a name may be one of our sentences", () => {
    installTranslation(german(messages));
    const why = sentence("There is no budget {0}.", "Done");
    assert.equal(inWords(sentence("Held back: {why}", { why })), "Zurückgehalten: Es gibt kein Budget Done.");
    assert.equal(inWords(sentence("Held back: {why}", { why: "Done" })), "Zurückgehalten: Done");
  });

  test("joins several sentences as one value by commas, each in the language", () => {
    installTranslation(german(messages));
    const why = [plainSentence("haiku"), sentence("unchanged")];
    const said = sentence("Held back: {why}", { why });
    assert.equal(said.text, "Held back: haiku, unchanged");
    assert.equal(inWords(said), "Zurückgehalten: haiku, unverändert");
  });

  test("is put together with others and with text from outside", () => {
    installTranslation(german(messages));
    const done = sentence("Done");
    const put = [compose`a.md: ${done}!`, joinSentences([done, done], "; "), joinSentences([], "; ")];
    assert.deepEqual(
      put.map(({ text }) => text),
      ["a.md: Done!", "Done; Done", ""],
    );
    assert.deepEqual(put.map(inWords), ["a.md: Fertig!", "Fertig; Fertig", ""]);
  });

  test("is in English where the translation lacks it", () => {
    installTranslation(german({ "Held back: {why}": "Zurückgehalten: {why}" }));
    const said = sentence("Held back: {why}", { why: sentence("Done") });
    assert.equal(inWords(said), "Zurückgehalten: Done");
  });

  test("follows the installed translation, not the one it was made with", () => {
    const said = sentence("Done");
    installTranslation(german(messages));
    assert.equal(inWords(said), "Fertig");
    installTranslation(german({ Done: "Erledigt" }));
    assert.equal(inWords(said), "Erledigt");
  });

  test("shows a text that an earlier version stored unchanged", () => {
    installTranslation(german(messages));
    const read = sentenceSchema.parse("Done {0}");
    assert.equal(read.text, "Done {0}");
    assert.equal(inWords(read), "Done {0}");
    assert.equal(inWords(plainSentence("12,345")), "12,345");
  });

  test("is made of a library's message, and of our own that a schema passed on", () => {
    installTranslation(german(messages));
    const option = librarySentence('Invalid option: expected one of "a"|"b"');
    assert.equal(option.text, 'Invalid option: expected one of "a"|"b"');
    assert.equal(inWords(option), 'Ungültig: erwartet wird eines von "a"|"b"');
    assert.equal(inWords(librarySentence("Done")), "Fertig");
    assert.equal(inWords(librarySentence("It is broken")), "It is broken");
  });

  test("is printed as its text", () => {
    const printed = printedJson({ why: sentence("Held back: {why}", { why: sentence("Done") }), at: [1] });
    assert.equal(printed, '{"why":"Held back: Done","at":[1]}');
  });

  test("survives being stored, with any values", () => {
    fc.assert(
      fc.property(anySentence, (said) => {
        const stored: unknown = JSON.parse(JSON.stringify(said));
        assert.ok(isSentence(stored));
        assert.deepEqual(sentenceSchema.parse(stored), said);
        assert.equal(inWords(said), said.text);
      }),
    );
  });

  test("changes in every text that is not its key, such as where a secret is removed", () => {
    const why = plainSentence("hunter2 is no budget");
    const said = sentence("Held back: {why} ({who})", { why: [why], who: "hunter2" });
    const changed = mapSentence(said, (text) => text.replaceAll("hunter2", "***"));
    assert.doesNotMatch(JSON.stringify(changed), /hunter2/u);
    assert.equal(changed.text, "Held back: *** is no budget (***)");
    assert.equal(inWords(changed), changed.text);
  });

  test("is not taken for another value", () => {
    for (const value of [null, "Done", {}, { text: "a" }, { text: "a", key: "a", values: null }, [1]])
      assert.equal(isSentence(value), false);
  });
});

const anySentence: fc.Arbitrary<Sentence> = fc.letrec<{ sentence: Sentence; value: SentenceValue }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.constantFrom("{why}", "12,345", "$&"),
      fc.integer(),
      tie("sentence"),
      fc.array(tie("sentence"), { maxLength: 3 }),
    ),
    sentence: fc
      .tuple(fc.constantFrom("Held back: {why}", "{why} and {who}", "Done"), tie("value"), tie("value"))
      .map(([key, why, who]) => sentence(key, { why, who })),
  }),
).sentence;
