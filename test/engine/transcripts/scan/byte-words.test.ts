import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Literal, stringStop, wordsOf } from "../../../../src/engine/transcripts/scan/byte-words.ts";

/** Bytes of which many end a plain run, or differ from those in one bit. */
const bytes = fc
  .array(fc.oneof(fc.constantFrom(0x22, 0x5c, 0x1f, 0x20, 0x00, 0xa2, 0xdc, 0x21, 0x23, 0x61), fc.nat(255)), {
    maxLength: 40,
  })
  .map((values) => Buffer.from(values));

describe("bytes read by words", () => {
  it("find the first quote, backslash or control character", () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), fc.nat(40), (content, from, length) => {
        const start = Math.min(from, content.length);
        const end = Math.min(start + length, content.length);
        const found = content
          .subarray(start, end)
          .findIndex((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c);
        assert.equal(stringStop(wordsOf(content), start, end), found < 0 ? end : start + found);
      }),
      { numRuns: 3000 },
    );
  });

  it("find each of them after a long plain run, at any offset in a word", () => {
    for (const stop of [0x22, 0x5c, 0x00, 0x1f, 0x0a]) {
      for (let length = 0; length < 70; length += 1) {
        const content = Buffer.alloc(length + 5, 0x61);
        content[length] = stop;
        assert.equal(stringStop(wordsOf(content), 0, content.length), length);
      }
    }
  });

  it("recognize a text at its place, and only there", () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, fc.nat(8), fc.nat(), (before, text, after, short, flip) => {
        const literal = new Literal(text);
        const content = Buffer.concat([before, text, after]);
        const end = before.length + text.length;
        assert.ok(literal.isAt(wordsOf(content), before.length, content.length));
        assert.ok(literal.isAt(wordsOf(content), before.length, end));
        assert.equal(literal.isAt(wordsOf(content), before.length, end - 1 - short), false);
        if (text.length === 0) return;
        const other = Buffer.from(content);
        const place = before.length + (flip % text.length);
        other[place] = (other[place] ?? 0) ^ (1 << (flip % 8));
        assert.equal(literal.isAt(wordsOf(other), before.length, other.length), false);
      }),
      { numRuns: 2000 },
    );
  });
});
