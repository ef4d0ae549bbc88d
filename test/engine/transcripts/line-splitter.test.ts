import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { LineSplitter } from "../../../src/engine/transcripts/line-splitter.ts";

const tooLong = "(too long)";

/** A splitter's callbacks for these chunks, in order. */
function split(chunks: readonly Buffer[], longest?: number): string[] {
  const reported: string[] = [];
  const splitter = new LineSplitter(longest);
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    splitter.push(
      reused,
      (line) => reported.push(line.toString("latin1")),
      () => reported.push(tooLong),
    );
    reused.fill("!");
  }
  return reported;
}

const textOf = (...parts: string[]) => parts.map((part) => Buffer.from(part, "latin1"));

/** Bytes with many line ends, and positions to cut them. */
const stream = fc.array(fc.oneof(fc.constant(0x0a), fc.integer({ min: 0, max: 255 })), { maxLength: 80 });
const cuts = fc.array(fc.nat(80), { maxLength: 12 });

function cutAt(bytes: Buffer, indexes: readonly number[]): Buffer[] {
  const inOrder = [
    0,
    ...indexes.filter((position) => position < bytes.length).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return inOrder.slice(1).map((end, index) => bytes.subarray(inOrder[index], end));
}

describe("splitting bytes into lines", () => {
  it("delivers each line without its end", () =>
    assert.deepEqual(split(textOf("one\ntwo\n\n")), ["one", "two", ""]));
  it("keeps a carriage return", () => assert.deepEqual(split(textOf("one\r\n")), ["one\r"]));
  it("waits for the rest of the last line", () => {
    assert.deepEqual(split(textOf("one\ntw")), ["one"]);
    assert.deepEqual(split(textOf("one\ntw", "o", "\n")), ["one", "two"]);
  });
  it("takes a line of the maximum length, but none longer", () => {
    assert.deepEqual(split(textOf("12345\n123456\n1\n"), 5), ["12345", tooLong, "1"]);
  });
  it("reports a line that is too long once, and before its end arrives", () => {
    assert.deepEqual(split(textOf("1234", "56", "78", "9"), 5), [tooLong]);
    assert.deepEqual(split(textOf("1234", "56", "78", "9\n", "1\n"), 5), [tooLong, "1"]);
  });

  it("in any chunks equals splitting at once", () => {
    fc.assert(
      fc.property(stream, cuts, fc.integer({ min: 0, max: 20 }), (bytes, indexes, longest) => {
        const whole = Buffer.from(bytes);
        assert.deepEqual(split(cutAt(whole, indexes), longest), split([whole], longest));
      }),
    );
  });

  it("returns the same lines as splitting the bytes directly", () => {
    fc.assert(
      fc.property(stream, cuts, fc.integer({ min: 0, max: 20 }), (bytes, indexes, longest) => {
        const whole = Buffer.from(bytes);
        const lines = whole.toString("latin1").split("\n");
        const last = lines.pop() ?? "";
        const expected = lines.map((line) => (line.length > longest ? tooLong : line));
        if (last.length > longest) expected.push(tooLong);
        assert.deepEqual(split(cutAt(whole, indexes), longest), expected);
      }),
    );
  });
});
