import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import fc from "fast-check";
import { inLanguage } from "../../../../src/engine/base/text/in-language.ts";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { english } from "../../../../src/engine/base/text/english.ts";
import { german } from "../../support/translation.ts";

const messages = {
  "There is no budget {0}.": "Es gibt kein Budget {0}.",
  "There is no budget {0} here.": "Hier gibt es kein Budget {0}.",
  "{0} of {1} tokens are spent.": "Von {1} Token sind {0} verbraucht.",
  "Held back: {saidWhy}": "Zurückgehalten: {saidWhy}",
  "Create one. It takes a minute.": "Legen Sie eines an.",
  Done: "Fertig",
};

describe("the service's sentences in the user's language", () => {
  afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

  test("stays unchanged without a translation", () => {
    const text = english("There is no budget {0}.", "fleet");
    assert.equal(text, "There is no budget fleet.");
    assert.equal(inLanguage(text), text);
  });

  test("the sentence that fits best is meant, with its values in the language's order", () => {
    installTranslation(german(messages));
    assert.deepEqual(
      [
        english("There is no budget {0}.", "fleet"),
        english("There is no budget {0} here.", "fleet"),
        english("{0} of {1} tokens are spent.", "1,200.5", "1.10"),
        english("{0} of {1} tokens are spent.", { 0: 3, 1: 9 }),
      ].map(inLanguage),
      [
        "Es gibt kein Budget fleet.",
        "Hier gibt es kein Budget fleet.",
        "Von 1.10 Token sind 1.200,5 verbraucht.",
        "Von 9 Token sind 3 verbraucht.",
      ],
    );
  });

  test("translates a said value and no other: a name may be one of our sentences", () => {
    installTranslation(german(messages));
    const saidWhy = english("There is no budget {0}.", "Done");
    assert.equal(
      inLanguage(english("Held back: {saidWhy}", { saidWhy })),
      "Zurückgehalten: Es gibt kein Budget Done.",
    );
  });

  test("prefers the sentence with a sentence as value, among two that differ only in values", () => {
    installTranslation(
      german({
        "line {0}: {1}": "Zeile {0}: {1}",
        "line {line}: {saidFault}": "In Zeile {line}: {saidFault}",
        "there is no rule {0}": "Regel {0} fehlt",
      }),
    );
    const text = english("line {line}: {saidFault}", {
      line: 3,
      saidFault: english("there is no rule {0}", "a"),
    });
    assert.equal(inLanguage(text), "In Zeile 3: Regel a fehlt");
  });

  test("prefers a sentence with a partly recognized said value to one with a sentence as name", () => {
    installTranslation(
      german({
        "line {line}: {saidFault}": "Zeile {line}: {saidFault}",
        "{where} is no linear regular expression: {saidWhy}": "{where} ist kein linearer Ausdruck: {saidWhy}",
      }),
    );
    assert.equal(
      inLanguage("line 3: a.like is no linear regular expression: error at: `(`"),
      "Zeile 3: a.like ist kein linearer Ausdruck: error at: `(`",
    );
  });

  test("translates only the beginning of a text that is too long to show", () => {
    installTranslation(german(messages));
    const worded = inLanguage("Done\n".repeat(1000));
    assert.match(worded, /^(?:Fertig\n)+(?:Done\n)+$/u);
    assert.ok(worded.startsWith("Fertig\n".repeat(20)));
  });

  test("translates several sentences one after another, and keeps untranslated ones", () => {
    installTranslation(german(messages));
    assert.equal(
      inLanguage("There is no budget fleet. Create one. It takes a minute. Else? Done\n\nDone"),
      "Es gibt kein Budget fleet. Legen Sie eines an. Else? Fertig\n\nFertig",
    );
    assert.equal(inLanguage("There is no budget a. b or c."), "Es gibt kein Budget a. b or c.");
    const saidWhy = ['There is no budget "a; b.".', "9 of 12 tokens are spent."].join("; ");
    assert.equal(
      inLanguage(english("Held back: {saidWhy}", { saidWhy })),
      'Zurückgehalten: Es gibt kein Budget "a; b.".; Von 12 Token sind 9 verbraucht.',
    );
  });

  test("a sentence of ours is recognized with a full stop, and a word of ours with a colon", () => {
    installTranslation(
      german({ ...messages, quota: "Kontingent", "There is no budget": "Es gibt kein Budget" }),
    );
    assert.equal(
      inLanguage("quota: see your plan. There is no budget. Held back: There is no budget."),
      "Kontingent: see your plan. Es gibt kein Budget. Zurückgehalten: Es gibt kein Budget.",
    );
  });

  test("translates each sentence in a list, and formats figures for the language", () => {
    installTranslation(
      german({
        unchanged: "unverändert",
        "{saidEach} vs. {0} at {1}": "{saidEach} gegen {0} für {1}",
        "{0}%": "{0} %",
      }),
    );
    const values = { saidEach: "haiku, unchanged", 0: "1.2", 1: "12.5%" };
    assert.equal(
      inLanguage(english("{saidEach} vs. {0} at {1}", values)),
      "haiku, unverändert gegen 1.2 für 12,5 %",
    );
  });

  test("another translation replaces the one before", () => {
    installTranslation(german(messages));
    assert.equal(inLanguage("Done"), "Fertig");
    installTranslation(german({ Done: "Erledigt" }));
    assert.equal(inLanguage("Done"), "Erledigt");
  });

  test("recognizes a sentence with any name, and leaves other text unchanged", () => {
    installTranslation(german(messages));
    fc.assert(
      fc.property(fc.string(), (name) => {
        const shown = inLanguage(english("{0} of {1} tokens are spent.", name, "7"));
        assert.ok(shown.startsWith("Von ") && shown.endsWith(" verbraucht."));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(". ", ": ", "\n", "a", "Bc", "?", "{0}", " ")), (parts) => {
        assert.equal(inLanguage(parts.join("")), parts.join(""));
      }),
    );
  });

  test("a long text takes its time once for each part", () => {
    installTranslation(german(messages));
    const text = "Nobody knows this. ".repeat(3000);
    assert.equal(inLanguage(text), text);
  });
});
