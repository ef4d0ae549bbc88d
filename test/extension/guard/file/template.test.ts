import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { parseYaml } from "../../../../src/engine/base/parse-yaml.ts";
import { rulesTemplate } from "../../../../src/extension/guard/file/template.ts";
import { german } from "../../../engine/support/translation.ts";

const messages = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")));

test("a new rules file explains itself in the user's language, and configures no rule", (t) => {
  const isEmpty = (text: string) => {
    const parsed = parseYaml(text);
    return parsed.ok && parsed.value.value === null;
  };
  assert.match(rulesTemplate(), /^# Your guard rules\./u);
  assert.ok(isEmpty(rulesTemplate()));
  installTranslation(german(messages));
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
  assert.match(rulesTemplate(), /^# Ihre Wächterregeln\./u);
  assert.ok(isEmpty(rulesTemplate()));
});
