import assert from "node:assert/strict";
import path from "node:path";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { readTranslation } from "../../../src/engine/cli/language.ts";

/** Makes a test that runs in German, and whose translation is gone afterwards: one holds for a whole process, with the tests of other files. */
export function inGerman(run: () => void | Promise<void>): () => Promise<void> {
  return async () => {
    const translation = readTranslation(path.resolve(import.meta.dirname, "../../../l10n"), ["de"]);
    assert.ok(translation !== undefined);
    installTranslation(translation);
    try {
      await run();
    } finally {
      Reflect.deleteProperty(globalThis, translationKey);
    }
  };
}
