import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { mayBeWanted } from "../../../../src/engine/transcripts/scan/line-sniff.ts";
import { RowReader } from "../../../../src/engine/transcripts/scan/row-reader.ts";
import { rowText } from "./arbitrary-row.ts";
import { referenceRow, type Reading } from "./reference-row.ts";
import { assistantLine, sampleLines } from "./sample-lines.ts";

const reader = new RowReader();

/** The row reader's answer as a plain value, read from the middle of a larger buffer, as the scan does. */
function readRow(line: Buffer, after = "\n"): Reading {
  const before = Buffer.from('{"type":"user"}\n');
  const bytes = Buffer.concat([before, line, Buffer.from(after)]);
  const kind = reader.read(bytes, before.length, before.length + line.length);
  const { values, isLongContext: longContext, isSidechain, isCopy, input, output } = reader;
  const { cacheCreation5m, cacheCreation1h, cacheRead, trigger, preTokens, postTokens } = reader;
  const text = (slot: number) => (values.has(slot) ? values.text(slot) : null);
  const at = Number.isNaN(reader.at) ? null : reader.at;
  if (kind === "compaction") {
    const sessionId = text(reader.sessionId);
    return { kind, longContext, sessionId, isSidechain, at, trigger, preTokens, postTokens };
  }
  if (kind !== "response") return { kind, longContext };
  const requestId = text(reader.requestId);
  return {
    kind,
    longContext,
    sessionId: text(reader.sessionId),
    isSidechain,
    at,
    messageId: text(reader.messageId) ?? "",
    requestId: requestId === "" ? null : requestId,
    model: text(reader.model),
    cwd: text(reader.cwd),
    isCopy,
    usage: { input, output, cacheCreation5m, cacheCreation1h, cacheRead },
  };
}

/**
 * Normalizes the one leniency of the reader: in skipped strings it accepts control characters and unknown escapes.
 */
function withSoundStrings(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, (text) =>
    text
      .replaceAll(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\./gisu, (escape) =>
        escape.length > 2 || isEscape(escape) ? escape : "__",
      )
      .replaceAll(/[\0-\x1f]/gu, "_"),
  );
}

function isEscape(escape: string): boolean {
  return /^\\["\\/bfnrt]$/u.test(escape);
}

function assertAgrees(line: Buffer): void {
  const text = line.toString("utf8");
  const reading = readRow(line);
  const strict = referenceRow(text);
  if (strict.kind !== "malformed") assert.deepEqual(reading, strict);
  else if (reading.kind !== "malformed") assert.deepEqual(reading, referenceRow(withSoundStrings(text)));
  if (!mayBeWanted(line, 0, line.length)) {
    assert.ok(["other", "malformed"].includes(strict.kind) && !strict.longContext, `sniffed away: ${text}`);
  }
}

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

  it("counts no usage but the message's own", () => {
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
