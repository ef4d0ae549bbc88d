import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { withoutElements } from "../../../../src/engine/base/text.ts";

test("a text without elements is what is left of it without each mark, its end and what is between", () => {
  const piece = fc.constantFrom("<a>", "</a>", "<b>", "</b>", "x", "\n", "<");
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      (text) => {
        const expected = text.replaceAll(/<(a|b)>[^]*?<\/\1>/gu, "");
        assert.equal(withoutElements(text, /<(a|b)>/gu), expected);
      },
    ),
  );
});
