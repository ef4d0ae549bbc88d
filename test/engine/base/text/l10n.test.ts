import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import fc from "fast-check";
import {
  installTranslation,
  language,
  plural,
  t,
  translationKey,
} from "../../../../src/engine/base/text/l10n.ts";
import { german } from "../../support/translation.ts";

afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

describe("t", () => {
  test("without a translation it says the English sentence", () => {
    assert.equal(t("{0} of {1} runs, {0} paid", 2, 7), "2 of 7 runs, 2 paid");
    assert.equal(t("{done} of {all} runs", { done: 2, all: 7 }), "2 of 7 runs");
    assert.equal(t("{0} of {1} runs"), "{0} of {1} runs");
    assert.equal(language(), "en");
  });

  test("with one it says the translated sentence, in its order, and English where there is none", () => {
    installTranslation(german({ "{0} of {1} runs": "Von {1} Läufen {0}", Save: "Speichern" }));
    assert.deepEqual(
      [t("{0} of {1} runs", 2, 7), t("Save"), t("Load")],
      ["Von 7 Läufen 2", "Speichern", "Load"],
    );
    assert.equal(language(), "de");
  });

  test("a name from outside is a value like any other, and not read for placeholders", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        assert.equal(t("{0}|{1}", one, other), `${one}|${other}`);
        assert.equal(t("{a}|{b}", { a: one, b: other }), `${one}|${other}`);
      }),
    );
  });

  test("placeholders without a value stay, and names that every object has are no values", () => {
    assert.equal(t("{0} {1} {constructor}", "a"), "a {1} {constructor}");
    installTranslation(german({}));
    assert.equal(t("constructor"), "constructor");
  });

  test("what is no translation is as none", () => {
    for (const damaged of [
      null,
      7,
      {},
      { language: "de" },
      { language: 1, messages: {} },
      { language: "de", messages: null },
    ]) {
      Reflect.set(globalThis, translationKey, damaged);
      assert.deepEqual([t("Save"), language()], ["Save", "en"]);
    }
  });
});

test("plural has a whole sentence for one and for all others", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => plural(count, t("1 run"), t("{0} runs", count))),
    ["0 runs", "1 run", "2 runs"],
  );
});
