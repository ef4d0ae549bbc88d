import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FileTail } from "../../../../src/engine/transcripts/file-tail.ts";
import { areWholeRecords, recordsIn } from "../../../../src/engine/transcripts/records/recovered.ts";
import { scratchFolder } from "../../support/scratch.ts";

const found = (line: string) => recordsIn(Buffer.from(line)).map((record) => record.toString("utf8"));
const one = '{"type":"assistant","message":{"id":"a","content":[{"type":"text","text":"{\\"b\\":1}"}]}}';
const two = '{"type":"user","n":[1,{"x":{}}]}';
const zeros = "\0".repeat(4096);

describe("records in a line that is not one record", () => {
  it("are those after the beginning of a record, or after zero bytes", () => {
    assert.deepEqual(found(`{"type":"pr-link","sessionId":"a","prNu${one}`), [one]);
    assert.deepEqual(found(`${zeros}${one}`), [one]);
    assert.deepEqual(found(`${zeros}${one}${zeros}${two}${zeros}`), [one, two]);
    assert.deepEqual(found(`\uFEFF\0${one}`), [one]);
  });

  it("are all of several, in order", () => {
    assert.deepEqual(found(one + two), [one, two]);
    assert.deepEqual(found(`${one} ${two}\r`), [one, two]);
    assert.deepEqual(found(`${one}${two.slice(0, 9)}`), [one]);
  });

  it("are all that commas join, from the line's start on", () => {
    assert.deepEqual(found(`${one},${two}`), [one, two]);
    assert.deepEqual(found(` ${one} , ${two} ,\0${one},`), [one, two, one]);
    assert.deepEqual(found(`${one},`), [one]);
    assert.deepEqual(found(`${one},${two.slice(0, 9)}`), [one]);
    assert.deepEqual(
      found(`${one.slice(0, 40)}${two},${one}`),
      [one],
      "an object inside a beginning is not a record",
    );
  });

  it("are none in a line that is one whole record: its reader has read it", () => {
    for (const line of [one, ` ${one}\r`, `\uFEFF${one}`, "", "  ", "[]", "no json"])
      assert.deepEqual(found(line), []);
  });

  it("are found wherever the record before them was cut", () => {
    for (let end = 1; end < one.length; end += 1) {
      const all = found(one.slice(0, end) + two);
      assert.equal(all.at(-1), two, one.slice(0, end));
      // At most, an object inside the beginning ends it: it is not a row.
      assert.ok(all.length <= 2 && !all.includes(one), one.slice(0, end));
    }
  });

  it("are each there once, whatever the mix of beginnings, zero bytes and whole records", () => {
    const record = fc
      .tuple(fc.nat(), fc.jsonValue({ maxDepth: 3 }))
      .map(([n, value]) => JSON.stringify({ type: "t", n, value }));
    const piece = fc.oneof(
      record.map((text) => ({ text, isWhole: true })),
      record
        .chain((text) => fc.nat({ max: text.length - 2 }).map((cut) => text.slice(0, cut + 1)))
        .map((text) => ({ text, isWhole: false })),
      fc.constantFrom("\0", "\0\0\0", " ", "\uFEFF").map((text) => ({ text, isWhole: false })),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 2, maxLength: 6 }), (pieces) => {
        const line = pieces.map(({ text }) => text).join("");
        const whole = pieces.filter(({ isWhole }) => isWhole).map(({ text }) => text);
        const rows = found(line).filter((text) => text.startsWith('{"type":"t","n":'));
        const isOne = whole.length === 1 && line.replaceAll(/^[ \uFEFF]+|[ \uFEFF]+$/gu, "") === whole[0];
        assert.deepEqual(rows, isOne ? [] : whole, JSON.stringify(line));
      }),
      { numRuns: 1000 },
    );
  });

  it("are found in bounded time, however hostile the line", () => {
    for (const part of ['{"a":', "{", '{"', "[{", '{"a":{}', "}{"]) found(part.repeat(100_000));
  });
});

describe("a file's end without a newline", () => {
  it("is whole if it holds only whole records", () => {
    for (const end of [one, ` ${one} `, one + two, `${one}\r${two}\r`, `${zeros}${one}`, `\uFEFF${one}`])
      assert.equal(areWholeRecords(Buffer.from(end)), true, end.slice(-120));
    for (const end of [
      "",
      " ",
      "{",
      one.slice(0, -1),
      `${one}${two.slice(0, 9)}`,
      `${one.slice(0, 60)}${two}`,
      `[${one}]`,
    ])
      assert.equal(areWholeRecords(Buffer.from(end)), false, end.slice(-120));
  });

  it("is read at once, each of its records once, and later records too", (t) => {
    const file = path.join(scratchFolder(t), "a.jsonl");
    const read: string[] = [];
    const tail = new FileTail(file, {
      onRestart: () => assert.fail("nothing was rewritten"),
      onLine: (line) => {
        const text = line.toString("utf8").trim();
        const isOne = text === one || text === two;
        if (isOne) read.push(text);
        return isOne;
      },
      onOversized: () => assert.fail("nothing is that long"),
    });
    writeFileSync(file, `${one}\r${two}\r`);
    for (let poll = 0; poll < 2; poll += 1) tail.poll(1e6);
    assert.deepEqual(read, [one, two]);
    appendFileSync(file, `\n${zeros}${one}`);
    for (let poll = 0; poll < 2; poll += 1) tail.poll(1e6);
    assert.deepEqual(read, [one, two, one]);
    appendFileSync(file, two);
    tail.poll(1e6);
    assert.deepEqual(read, [one, two, one, two]);
  });
});
