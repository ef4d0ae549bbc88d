import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { printedJson } from "../../../../src/engine/base/text/printed-json.ts";
import { cleanText } from "../../../../src/engine/base/text/text.ts";

/** Every character that may control a terminal or a reader's direction, and ordinary ones beside them. */
const hostile = fc.oneof(
  fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(
    "\u00AD",
    "\u034F",
    "\u061C",
    "\u115F",
    "\u200B",
    "\u200E",
    "\u200F",
    "\u2028",
    "\u2029",
    "\u202A",
    "\u202E",
    "\u2066",
    "\u2069",
    "\u3164",
    "\uD800",
    "\uE000",
    "\uFE0F",
    "\uFEFF",
    "\u{E0041}",
    "\u{1D173}",
    "日",
    "é",
    "🚢",
  ),
  fc.string({ unit: "binary" }),
);
const text = fc.array(hostile, { maxLength: 12 }).map((parts) => parts.join(""));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(text, tie("any"), { maxKeys: 4 }),
  ),
})).any;

describe("printedJson", () => {
  it("gives the value that JSON itself gives", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (any, indent) => {
        assert.deepEqual(JSON.parse(printedJson(any, indent)), JSON.parse(JSON.stringify(any)));
      }),
    );
  });

  it("prints nothing that moves a cursor, hides or reorders text", () => {
    fc.assert(
      fc.property(value, (any) => {
        const printed = printedJson(any);
        // U+FFFD is what a damaged file shows for its own bytes: it moves and hides nothing.
        assert.equal(
          cleanText(printed.replaceAll("\uFFFD", "?")),
          printed.replaceAll("\uFFFD", "?").replace(/\s+/gu, " ").trim(),
        );
      }),
    );
  });

  it("leaves what people read as it is", () => {
    assert.equal(printedJson({ title: "né 日本 🚢 שלום" }), `{"title":"né 日本 🚢 שלום"}`);
    assert.equal(
      printedJson("\u009b31m \u202Eexe\u202C \u007f \u{E0041}"),
      String.raw`"\u009b31m \u202eexe\u202c \u007f \udb40\udc41"`,
    );
  });
});
