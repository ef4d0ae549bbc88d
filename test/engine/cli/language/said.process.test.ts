import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { said } from "../../../../src/engine/cli/language/said.ts";
import { usageError } from "../../../../src/engine/cli/subcommands.ts";
import { german } from "../../support/translation.ts";

afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

test("what the service says is in the terminal's language, and harmless to the terminal", () => {
  installTranslation(german({ "there is no rule {0}": "es gibt keine Regel {0}" }));
  assert.equal(said("there is no rule \u001b[2Jx"), "es gibt keine Regel x");
  assert.equal(said("no sentence of ours"), "no sentence of ours");
});

test("so is what the engine says about an argument", () => {
  installTranslation(german({ "there is no rule {0}": "es gibt keine Regel {0}" }));
  const written: string[] = [];
  assert.equal(
    usageError("rules", "there is no rule x", { stderr: { write: (text) => written.push(String(text)) } }),
    2,
  );
  assert.deepEqual(written, ["purser rules: es gibt keine Regel x. See purser rules --help.\n"]);
});
