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
  test("returns the English sentence without a translation", () => {
    assert.equal(t("{0} of {1} runs, {0} paid", 2, 7), "2 of 7 runs, 2 paid");
    assert.equal(t("{done} of {all} runs", { done: 2, all: 7 }), "2 of 7 runs");
    assert.equal(t("{0} of {1} runs"), "{0} of {1} runs");
    assert.equal(language(), "en");
  });

  test("returns the translated sentence in its order, and English if there is none", () => {
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

  test("keeps placeholders without a value, and takes no value from names that every object has", () => {
    assert.equal(t("{0} {1} {constructor}", "a"), "a {1} {constructor}");
    installTranslation(german({}));
    assert.equal(t("constructor"), "constructor");
  });

  test("ignores what is not a translation", () => {
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
