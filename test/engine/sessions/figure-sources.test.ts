import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, plainSentence } from "../../../src/engine/base/language.ts";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { german } from "../support/translation.ts";
import { describeSession } from "./support/describe.ts";

test("origins of figures are shown in the person's language; those of another version stay unchanged", () => {
  installTranslation(german({ "no response yet": "noch keine Antwort" }));
  try {
    const { occupancy } = describeSession([]);
    assert.equal(occupancy.source.text, "no response yet");
    assert.equal(inWords(occupancy.source), "noch keine Antwort");
    assert.equal(inWords(plainSentence("no response yet")), "no response yet");
  } finally {
    Reflect.deleteProperty(globalThis, translationKey);
  }
});
