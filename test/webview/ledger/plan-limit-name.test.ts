import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { readTranslation } from "../../../src/engine/cli/language.ts";
import { planLimitName } from "../../../src/webview/ledger/describe-ledger.ts";

const limits = [
  { name: "five_hour", windowMinutes: 300 },
  { name: "codex secondary", windowMinutes: 10_080 },
  { name: "other primary", windowMinutes: 60 },
  { name: "premium_interactions", windowMinutes: null },
  { name: "codex primary", windowMinutes: 299 },
];

test("a plan limit is named by its window", () => {
  assert.deepEqual(limits.map(planLimitName), [
    "5 hours",
    "7 days",
    "1 hour (other)",
    "premium_interactions",
    "299 minutes",
  ]);
});

test("names the limit's window in the user's language", () => {
  const translation = readTranslation(path.resolve(import.meta.dirname, "../../../l10n"), ["de"]);
  if (translation !== undefined) installTranslation(translation);
  try {
    assert.deepEqual(limits.slice(0, 3).map(planLimitName), ["5 Stunden", "7 Tage", "1 Stunde (other)"]);
  } finally {
    Reflect.deleteProperty(globalThis, translationKey);
  }
});
