import assert from "node:assert/strict";
import { test } from "node:test";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { applyMessage, firstModel, rulesById } from "../../../src/webview/guard/guard-model.ts";
import { firstState } from "../../../src/webview/guard/guard-protocol.ts";
import { found } from "../../../src/webview/guard/tallies.ts";
import { german } from "../../engine/support/translation.ts";
import { makeBook } from "./fixtures.ts";

test("A German user reads and searches the rules that come with purser in German, and their own as they wrote them", (t) => {
  const book = makeBook();
  const [rule, own] = book.rules;
  assert.ok(rule !== undefined && own !== undefined);
  installTranslation(german({ [rule.message]: "Alles im Ordner ist weg.", Rules: "Regeln" }));
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
  const model = applyMessage(firstModel(firstState), { type: "rules", book, hasProject: true });
  const rules = rulesById(model);
  assert.equal(rules.get(rule.id)?.message, "Alles im Ordner ist weg.");
  assert.deepEqual(rules.get(own.id), own);
  assert.deepEqual(
    found(model.rules?.book.rules ?? [], "ordner weg").map(({ id }) => id),
    [rule.id],
  );
});
