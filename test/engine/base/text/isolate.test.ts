import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isolated } from "../../../../src/engine/base/text.ts";

describe("an isolated text", () => {
  for (const text of ["إصلاح صفحة", "תיקון", "fix: דף", "ܫܠܡܐ", "ދިވެހި", "ﷺ", "𞤀𞤣𞤤𞤢𞤥"])
    it(`is isolated if it runs from right to left: ${text}`, () =>
      assert.equal(isolated(text), `\u2068${text}\u2069`));
  for (const text of ["", "plain", "/home/dev", "ログイン", "Перевод", "Ελλάδα", "🚀 … — ü"])
    it(`is unchanged otherwise: ${text}`, () => assert.equal(isolated(text), text));
});
