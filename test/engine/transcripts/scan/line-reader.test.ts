import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import {
  LineReader,
  type ByteRange,
  type LineVisitor,
} from "../../../../src/engine/transcripts/scan/line-reader.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "purser-lines-"));
after(() => rmSync(folder, { recursive: true, force: true }));

class Collector implements LineVisitor {
  readonly lines: string[] = [];
  oversize = 0;

  mayWant(bytes: Buffer, start: number): boolean {
    return bytes[start] !== "#".charCodeAt(0);
  }

  line(bytes: Buffer, start: number, end: number): void {
    this.lines.push(bytes.toString("latin1", start, end));
  }

  /** The last parts of lines that were too long. */
  readonly rests: string[] = [];

  rest(bytes: Buffer, start: number, end: number): void {
    this.rests.push(bytes.toString("latin1", start, end));
  }

  oversized(): void {
    this.oversize += 1;
  }

  isStopped(): boolean {
    return false;
  }
}

function read(content: string | Uint8Array, ranges: readonly ByteRange[], longest?: number): Collector {
  const file = path.join(folder, "lines.jsonl");
  writeFileSync(file, content);
  const descriptor = openSync(file, "r");
  try {
    const collector = new Collector();
    const reader = new LineReader(Buffer.alloc(1 << 18), longest);
    for (const range of ranges) reader.read(descriptor, range, collector);
    return collector;
  } finally {
    closeSync(descriptor);
  }
}

const whole = (content: string): ByteRange => ({ start: 0, end: content.length });

/** The lines of a text, including an unterminated last line. */
function linesOf(content: string): string[] {
  const lines = content.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

describe("line reader", () => {
  it("reads each line once, wherever the file is cut into parts", () => {
    const content = fc
      .array(fc.constantFrom("a", "bc", "\n", "\n\n", "x".repeat(300), "y".repeat(70_000)))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(content, fc.array(fc.nat()), (text, cuts) => {
        const indexes = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted(
          (one, other) => one - other,
        );
        const bounds = [
          0,
          ...indexes.filter((position) => position > 0 && position < text.length),
          text.length,
        ];
        const ranges = bounds.slice(1).map((end, index) => ({ start: bounds[index] ?? 0, end }));
        assert.deepEqual(read(text, ranges).lines, linesOf(text));
      }),
      { numRuns: 150 },
    );
  });

  it("reads lines longer than its buffer", () => {
    const text = `first\n${"x".repeat(1_500_000)}\nlast`;
    assert.deepEqual(read(text, [whole(text)]).lines, linesOf(text));
  });

  it("returns to its usual buffer after a long line", () => {
    const usual = Buffer.alloc(1 << 12);
    const seen: Buffer[] = [];
    const collector = new Collector();
    const file = path.join(folder, "back.jsonl");
    const text = `first\n${"x".repeat(20_000)}\n${"y\n".repeat(20_000)}last`;
    writeFileSync(file, text);
    const descriptor = openSync(file, "r");
    collector.line = (bytes, start, end) => {
      seen.push(bytes);
      collector.lines.push(bytes.toString("latin1", start, end));
    };
    new LineReader(usual).read(descriptor, whole(text), collector);
    closeSync(descriptor);
    assert.deepEqual(collector.lines, linesOf(text));
    assert.notEqual(seen[1], usual);
    assert.equal(seen.at(-1), usual);
  });

  it("skips a line that is too long, and counts it", () => {
    const text = `first\n${"x".repeat(1_500_000)}\nlast\n`;
    const { lines, oversize } = read(text, [whole(text)], 1 << 20);
    assert.deepEqual(lines, ["first", "last"]);
    assert.equal(oversize, 1);
  });

  it("takes no larger buffer for a long unwanted line", () => {
    const text = `first\n#${"x".repeat(1_500_000)}\nlast\n`;
    const { lines, oversize } = read(text, [whole(text)], 1 << 20);
    assert.deepEqual(lines, ["first", "last"]);
    assert.equal(oversize, 0);
  });

  it("skips the rest of a long line in a part that begins within it", () => {
    const text = `first\n${"x".repeat(900_000)}\nlast\n`;
    assert.deepEqual(read(text, [{ start: 500_000, end: text.length }]).lines, ["last"]);
    assert.deepEqual(read(text, [{ start: 500_000, end: 600_000 }]).lines, []);
  });

  it("ends at the file's present end, if it was truncated in between", () => {
    assert.deepEqual(read("a\nb\n", [{ start: 0, end: 1000 }]).lines, ["a", "b"]);
    assert.deepEqual(read("a\nb\n", [{ start: 500, end: 1000 }]).lines, []);
  });
});
