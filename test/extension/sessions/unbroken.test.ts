import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unbroken, wholeWords } from "../../../src/extension/sessions/brief.ts";

test("a text stays on one line, in scripts with spaces and without", () => {
  assert.equal(unbroken("Next call"), "Next\u00a0call");
  assert.equal(unbroken("約 2 ターン"), "約\u00a02\u00a0タ\u2060ー\u2060ン");
});

test("a link breaks at its spaces only", () => {
  assert.equal(wholeWords("Hand Over…"), "Hand Over…");
  assert.equal(wholeWords("引き継ぐ…"), "引\u2060き\u2060継\u2060ぐ…");
});

test("nothing is lost of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(wholeWords(text).replaceAll("\u2060", ""), text.replaceAll("\u2060", ""));
    }),
  );
});
