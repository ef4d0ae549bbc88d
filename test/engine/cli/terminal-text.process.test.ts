import { plainSentence, sentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { asLine } from "../../../src/engine/cli/terminal-text.ts";
import { usageError } from "../../../src/engine/cli/args.ts";
import { german } from "../support/translation.ts";

afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

test("shows the service's messages in the terminal's language, without control characters", () => {
  installTranslation(german({ "there is no rule {0}": "es gibt keine Regel {0}" }));
  assert.equal(asLine(sentence("there is no rule {0}", "\u001b[2Jx")), "es gibt keine Regel x");
  assert.equal(asLine(plainSentence("no sentence of ours")), "no sentence of ours");
});

test("shows the engine's message about an argument the same way", () => {
  installTranslation(german({ "there is no rule {0}": "es gibt keine Regel {0}" }));
  const written: string[] = [];
  assert.equal(
    usageError("rules", sentence("there is no rule {0}", "x"), {
      stderr: { write: (text) => written.push(String(text)) },
    }),
    2,
  );
  assert.deepEqual(written, ["purser rules: es gibt keine Regel x. See purser rules --help.\n"]);
});
