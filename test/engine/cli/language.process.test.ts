import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { readTranslation, wantedLanguages } from "../../../src/engine/cli/language.ts";

const wanted = (env: Record<string, string>, argv: readonly string[] = [], isTerminal = true) =>
  wantedLanguages({ argv, env, isTerminal: () => isTerminal });

describe("the language of purser", () => {
  test("is its own variable's, else the locale's, in the order of POSIX", () => {
    assert.deepEqual(wanted({ PURSER_LANG: "ja", LC_ALL: "de_DE.UTF-8" }), ["ja"]);
    assert.deepEqual(wanted({ LC_ALL: "de_AT.UTF-8@euro", LC_MESSAGES: "ja_JP", LANG: "fr_FR" }), [
      "de-at",
      "de",
    ]);
    assert.deepEqual(wanted({ LC_ALL: "", LC_MESSAGES: "ja_JP.eucJP", LANG: "fr_FR" }), ["ja-jp", "ja"]);
    assert.deepEqual(wanted({ LANG: "pt_BR" }), ["pt-br", "pt"]);
  });

  test("is English for English, for no locale, and for an invalid one", () => {
    for (const LANG of ["", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "en", "../../etc/passwd", "d", "de/x"])
      assert.deepEqual(wanted({ LANG }), [], LANG);
    assert.deepEqual(wanted({}), []);
    assert.deepEqual(wanted({ PURSER_LANG: "en", LANG: "de_DE" }), []);
  });

  test("is English for programs: always in JSON, and outside a terminal unless set", () => {
    assert.deepEqual(wanted({ PURSER_LANG: "de" }, ["usage", "--json"]), []);
    assert.deepEqual(wanted({ LANG: "de_DE" }, ["usage"], false), []);
    assert.deepEqual(wanted({ PURSER_LANG: "de" }, ["usage"], false), ["de"]);
  });

  test("never leads out of the folder of translations", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("d", "e", "_", "-", "/", ".", "\\", "\0") }),
        (PURSER_LANG) => {
          for (const language of wanted({ PURSER_LANG })) assert.match(language, /^[a-z0-9-]+$/u);
        },
      ),
    );
  });
});

describe("a translation", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-l10n-"));
  const write = (language: string, text: string) => {
    writeFileSync(path.join(folder, `bundle.l10n.${language}.json`), text);
  };
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("is the first that there is; of its sentences only texts count", () => {
    write("de", JSON.stringify({ Save: "Speichern", Load: 7 }));
    assert.deepEqual(readTranslation(folder, ["de-at", "de"]), {
      language: "de",
      messages: { Save: "Speichern" },
    });
  });

  test("ignores a translation that is damaged, missing or not an object", () => {
    write("fr", "{");
    write("it", "null");
    assert.equal(readTranslation(folder, ["fr", "xx"]), undefined);
    assert.deepEqual(readTranslation(folder, ["it"])?.messages ?? {}, {});
    assert.equal(readTranslation(path.join(folder, "nowhere"), ["de"]), undefined);
  });
});
