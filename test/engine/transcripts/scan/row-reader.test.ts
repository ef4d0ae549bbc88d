import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RowReader } from "../../../../src/engine/transcripts/scan/row-reader.ts";
import { rowText } from "./arbitrary-row.ts";
import { assertReadsLikeReference, readingOf } from "./reading.ts";
import { referenceRow } from "./reference-row.ts";
import { assistantLine, sampleLines } from "./sample-lines.ts";

const reader = new RowReader();
const readRow = (line: Buffer, after?: string) => readingOf(reader, line, after);
const assertAgrees = (line: Buffer) => assertReadsLikeReference(reader, line);

describe("row reader", () => {
  it("agrees with JSON.parse and a schema on arbitrary rows", () => {
    fc.assert(
      fc.property(rowText, (text) => assertAgrees(Buffer.from(text))),
      { numRuns: 6000 },
    );
  });

  it("agrees on arbitrary JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", " ", "\r", "}", "x"), (text, tail) =>
        assertAgrees(Buffer.from(text + tail)),
      ),
      { numRuns: 2000 },
    );
  });

  it("agrees on arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assertAgrees(Buffer.from(bytes))),
      { numRuns: 2000 },
    );
    const fragments = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "u00",
      "type",
      "assistant",
      "message",
      "0",
      "-1",
      "e",
      ".",
      "true",
      "nul",
      " ",
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 30 }), (parts) =>
        assertAgrees(Buffer.from(parts.join(""))),
      ),
      { numRuns: 5000 },
    );
  });

  it("agrees on every truncation of real rows, and counts each as malformed", () => {
    for (const line of sampleLines) {
      const bytes = Buffer.from(line);
      for (let end = 1; end < bytes.length; end += 1) {
        assertAgrees(bytes.subarray(0, end));
        assert.equal(readRow(bytes.subarray(0, end)).kind, "malformed");
      }
    }
  });

  it("agrees on real rows with bytes changed, removed or inserted", () => {
    const edit = fc.record({
      place: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.uint8Array({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...sampleLines),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (line, edits) => {
          let bytes = Buffer.from(line);
          for (const { place: index, remove, insert } of edits) {
            const at = index % bytes.length;
            bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
          }
          assertAgrees(bytes);
        },
      ),
      { numRuns: 6000 },
    );
  });

  it("reads a line at the very end of a file, without a line feed after it", () => {
    assert.deepEqual(readRow(Buffer.from(assistantLine), ""), referenceRow(assistantLine));
    assert.deepEqual(readRow(Buffer.from(assistantLine), "}"), referenceRow(assistantLine));
  });

  it("walks deep nesting without a stack", () => {
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)},${assistantLine.slice(1)}`;
    assert.equal(readRow(Buffer.from(deep)).kind, "response");
    assert.equal(readRow(Buffer.from(deep.replace("]", ""))).kind, "malformed");
  });

  it("counts only the message's own usage", () => {
    const nested = JSON.stringify({
      type: "user",
      message: { role: "user" },
      toolUseResult: { usage: { output_tokens: 5 } },
    });
    assert.equal(readRow(Buffer.from(nested)).kind, "other");
    const quoted = JSON.stringify({ type: "assistant", message: { content: assistantLine } });
    assert.equal(readRow(Buffer.from(quoted)).kind, "other");
  });
});
