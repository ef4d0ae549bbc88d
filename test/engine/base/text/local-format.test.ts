import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import fc from "fast-check";
import * as plain from "../../../../src/engine/base/text/format.ts";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import * as local from "../../../../src/engine/base/text/local-format.ts";
import { german } from "../../support/translation.ts";

afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

test("in English, numbers are as files and agents have them", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      const [size, share] = [Math.abs(value), value / 1e7];
      assert.deepEqual(
        [
          local.wholeNumber(value),
          local.signedNumber(value),
          local.estimatedNumber(value),
          local.signedPercent(share),
          local.percent(size % 100),
          local.shortNumber(size),
          local.dollars(share),
          local.aboutDollars(share),
          local.dollarAmount(share),
        ],
        [
          plain.wholeNumber(value),
          plain.signedNumber(value),
          plain.estimatedNumber(value),
          plain.signedPercent(share),
          plain.percent(size % 100),
          plain.shortNumber(size),
          plain.dollars(share),
          plain.aboutDollars(share),
          plain.dollars(share).replace("$", ""),
        ],
      );
    }),
  );
});

test("in German they have its separators, and signs where the translation has them", () => {
  installTranslation(german({ "{0}%": "{0} %", "${0}": "{0} $", "{0}M": "{0} Mio." }));
  assert.deepEqual(
    [
      local.wholeNumber(1_234_567),
      local.signedNumber(-1234),
      local.decimalNumber(3.14, 1),
      local.percent(0.4),
      local.signedPercent(-0.22),
      local.shortNumber(1_240_000),
      local.shortNumber(83_000),
      local.dollars(-1.92),
      local.aboutDollars(0.004),
      local.dollars(0.0001),
      local.dollarAmount(1.92),
    ],
    [
      "1.234.567",
      "−1.234",
      "3,1",
      "<1 %",
      "−22 %",
      "1,2 Mio.",
      "83k",
      "−1,92 $",
      "~0,004 $",
      "< 0,001 $",
      "1,92",
    ],
  );
});

test("a language without translated signs has its separators", () => {
  installTranslation({ language: "fr", messages: {} });
  assert.equal(local.wholeNumber(1_234_567).replaceAll(/\s/gu, " "), "1 234 567");
  assert.equal(local.dollars(1.92), "$1,92");
});
