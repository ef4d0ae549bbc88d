import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  declined,
  kernelIfPossible,
  RowKernel,
  unwanted,
  whole,
} from "../../../../../src/engine/transcripts/scan/compiled/row-kernel.ts";
import { mayBeWanted } from "../../../../../src/engine/transcripts/scan/line-sniff.ts";
import { RowReader } from "../../../../../src/engine/transcripts/scan/row-reader.ts";
import { compileKernel, kernelFile } from "../../../../house/kernel/compile.ts";
import { rowText } from "../arbitrary-row.ts";
import { assertReadsLikeReference, readingIn, readingOf } from "../reading.ts";
import { referenceRow } from "../reference-row.ts";
import { assistantLine, sampleLines } from "../sample-lines.ts";

const kernel = new RowKernel(1 << 16);
const ownReader = new RowReader();
const kernelReader = new RowReader(kernel.values);

/** Reads a line at the end of the input, or where a seed says. */
function outcomeOf(line: string | Uint8Array, seed = 0): number {
  const bytes = Buffer.from(line);
  const room = kernel.input.length - bytes.length - 1;
  const start = room - (seed % (room + 1));
  // What is around the line must not matter.
  kernel.input.fill('"},');
  bytes.copy(kernel.input, start);
  kernel.input[start + bytes.length] = 0x0a;
  return kernel.read(kernel.input, start, start + bytes.length);
}

/** Asserts that a row is either declined, or read or passed over as our own code does. */
function assertAgrees(line: string | Uint8Array, seed = 0): void {
  const bytes = Buffer.from(line);
  const outcome = outcomeOf(bytes, seed);
  if (outcome !== declined)
    assert.equal(mayBeWanted(bytes, 0, bytes.length), outcome === whole, String(bytes));
  if (outcome === whole) {
    const own = readingOf(ownReader, bytes);
    assert.deepEqual(readingIn(kernelReader, kernelReader.judge()), own, String(bytes));
    assertReadsLikeReference(ownReader, bytes);
  } else if (outcome === unwanted) {
    const { kind, longContext } = referenceRow(String(bytes));
    assert.ok(["other", "malformed"].includes(kind) && !longContext, `passed over: ${String(bytes)}`);
  } else assert.equal(outcome, declined);
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/gsu;
/** What another row may have in a value's place: values of all kinds, and what only looks like one. */
const substitute = fc.constantFrom(
  ...[
    '"msg_7"',
    '"another text, longer than before"',
    '""',
    String.raw`"\u0061\"usage\":{"`,
    '"a\tb"',
    '"\\x"',
  ],
  ...[
    "0",
    "7",
    "123456",
    "-1",
    "-0",
    "01",
    "1.5",
    "1e3",
    "1.",
    "9007199254740993",
    "null",
    "true",
    "[]",
    "{}",
  ],
  ...[
    '{"usage":{"output_tokens":9}}',
    '[{"message":{"id":"msg_9"}}]',
    " 7",
    ' "x" ',
    "7 ",
    "",
    '"',
    "}",
    "nul",
  ],
  ...[
    '"x","id":"msg_8"',
    '"x"},"message":{"id":"msg_8","usage":{"output_tokens":8}',
    "1,2",
    '1,"output_tokens":8',
  ],
);

/** A row like another one: some of its values, and perhaps keys, are replaced. */
function rowLike(row: string, choices: readonly { place: number; text: string }[]): string {
  const places = [...row.matchAll(token)];
  const chosen = new Map(choices.map(({ place, text }) => [places[place % places.length]?.index, text]));
  return row.replaceAll(token, (text, index: number) => chosen.get(index) ?? text);
}

const rows = fc
  .record({
    row: fc.oneof(fc.constantFrom(...sampleLines), rowText),
    changes: fc.array(fc.array(fc.record({ place: fc.nat(), text: substitute }), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    }),
    ending: fc.constantFrom("", "\r", " "),
  })
  .map(({ row, changes, ending }) =>
    [row, ...changes.map((each) => rowLike(row, each))].map((line) => line + ending),
  );

describe("compiled reader of rows", () => {
  it("is what its source compiles to", async () => {
    assert.equal(readFileSync(kernelFile, "utf8"), await compileKernel(), "run `npm run kernel`");
  });

  it("agrees with the other reader, or declines", () => {
    fc.assert(
      fc.property(rows, fc.nat(), (lines, seed) => {
        for (const line of lines) assertAgrees(line, seed);
      }),
      { numRuns: 3000 },
    );
  });

  it("agrees on arbitrary JSON and arbitrary bytes", () => {
    const ending = fc.constantFrom("", " ", "\r", "}", "x");
    fc.assert(
      fc.property(fc.json(), ending, (text, end) => assertAgrees(text + end)),
      { numRuns: 2000 },
    );
    const parts = fc.constantFrom(
      ...["{", "}", "[", "]", ",", ":", '"', "\\", "u00", "\n", "0", "-1", "e", ".", "true", "nul", " "],
      ...['"type":', '"assistant"', '"message":', '"usage":', '"betas":', '"params":', '"attachment":'],
      ...[
        '"timestamp":',
        '"output_tokens":',
        '"isSidechain":',
        '"forkedFrom":',
        '"id":',
        '"cache_creation":',
      ],
    );
    const pieces = fc.array(parts, { maxLength: 40 }).map((each) => `{${each.join("")}`);
    fc.assert(
      fc.property(pieces, fc.nat(), (text, seed) => assertAgrees(text, seed)),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assertAgrees(bytes)),
      { numRuns: 3000 },
    );
  });

  it("agrees on every part of a row", () => {
    for (const line of sampleLines) {
      for (let end = 0; end <= line.length; end += 1) {
        assertAgrees(line.slice(0, end));
        assertAgrees(line.slice(end));
      }
    }
  });

  it("declines no row that agents write", () => {
    for (const line of sampleLines) {
      assert.equal(outcomeOf(line), mayBeWanted(Buffer.from(line), 0, line.length) ? whole : unwanted, line);
    }
    const windows = assistantLine.replace("/home/crew/argo", String.raw`C:\\crew\\\u0061rgo`);
    assert.equal(outcomeOf(windows), whole);
    assertAgrees(windows);
    const betas = '{"type":"api-request","params":{"betas":["a-1","context-1m-2025-08-07"],"model":"m"}}';
    assert.equal(outcomeOf(betas), whole);
    kernelReader.judge();
    assert.ok(kernelReader.isLongContext);
  });

  it("passes over rows by the first text that says what they are", () => {
    assert.equal(outcomeOf('{"type":"user","message":{"id":"a"'), unwanted);
    assert.equal(outcomeOf('{"attachment":{"type":"file","content":{'), unwanted);
    assert.equal(outcomeOf('{"type":"assistant","attachment":{"type":"file"}}'), whole);
    assert.equal(outcomeOf('{"type":"assistant","type":"user"}'), whole);
    assert.equal(outcomeOf(String.raw`{"type":"us\u0065r"}`), declined);
    assert.equal(outcomeOf('{"message":{"type":"user"},"type":"assistant"}'), whole);
    assert.equal(
      outcomeOf(String.raw`{"cwd":"C:\\argo","uuid":"\"","at":-1.5E3,"type":"user","message":{`),
      unwanted,
    );
    assert.equal(outcomeOf(`{${'"a":null,'.repeat(50)}"type":"user","message":{`), unwanted);
  });

  it("reads to its end a row of which a nested value is before what it is", () => {
    for (const before of [
      '"message":{"role":"user"}',
      '"message":{}',
      '"uuids":[]',
      '"uuids":[1]',
      '"origin":{}',
      '"params":{"betas":[]}',
      '"betas":{"params":[]}',
      '"attachment":{}',
      '"attachment":{"text":"x"}',
    ]) {
      const line = `{"uuid":"u",${before},"type":"user"`;
      assert.equal(outcomeOf(line), declined, line);
      assert.equal(outcomeOf(`${line}}`), whole, line);
      assertAgrees(`${line}}`);
    }
    assert.equal(outcomeOf('{"attachment":{"text":"x","type":"file"},"type":"assistant"}'), whole);
    assert.equal(outcomeOf('{"attachment":{"identity":{},"type":"file"},"type":"assistant"}'), whole);
  });

  it("declines what is unusual", () => {
    const row = (id: string, count = "1") =>
      `{"type":"assistant","message":{"id":${id},"usage":{"output_tokens":${count}}}}`;
    assert.equal(outcomeOf(row('"a"')), whole);
    for (const count of ["01", "-1", "1.5", "1e3", "1.", "9007199254740993", " 1", "1 "])
      assert.equal(outcomeOf(row('"a"', count)), declined, count);
    for (const id of [
      '"a\tb"',
      '"a',
      '"\\x"',
      '"\\u00g0"',
      "tru",
      "[1,]",
      '{"a" 1}',
      `${"[".repeat(66)}${"]".repeat(66)}`,
    ])
      assert.equal(outcomeOf(row(id)), declined, id);
    for (const line of [
      "",
      " {}",
      "[]",
      "{",
      `${row('"a"')} `,
      `${row('"a"')}\r`,
      `${row('"a"')}}`,
      "{,}",
      '{"a":1,}',
    ])
      assert.equal(outcomeOf(line), declined, line);
  });

  it("reads nothing but lines in its input that a line feed ends", () => {
    const line = Buffer.from(`${assistantLine}\n`);
    assert.equal(kernel.read(line, 0, line.length - 1), declined);
    line.copy(kernel.input);
    assert.equal(kernel.read(kernel.input, 0, line.length - 1), whole);
    kernel.input[line.length - 1] = 0x20;
    assert.equal(kernel.read(kernel.input, 0, line.length - 1), declined);
    line.copy(kernel.input, kernel.input.length - line.length + 1);
    assert.equal(
      kernel.read(kernel.input, kernel.input.length - line.length + 1, kernel.input.length),
      declined,
    );
  });

  it("leaves nothing of one row to the next", () => {
    outcomeOf(assistantLine);
    assert.equal(outcomeOf('{"type":"assistant"}'), whole);
    assert.equal(kernelReader.judge(), "malformed");
    assert.ok(!kernelReader.values.has(kernelReader.sessionId));
  });

  it("is not fooled by rows made to look like others", () => {
    const usage = '"usage":{"input_tokens":1,"output_tokens":5}';
    const row = (id: string, content: string, rest = "") =>
      `{"type":"assistant","message":{"id":"${id}","content":${content},${usage}}${rest}}`;
    const nested = '[{"type":"tool_use","input":{"usage":{"output_tokens":99},"message":{"id":"inner"}}}]';
    const lines = [
      row("c", nested),
      row("d", JSON.stringify(row("e", nested))),
      row("e", String.raw`"\\\",\"usage\":{\"output_tokens\":99}"`),
      row(String.raw`f\",\"id\":\"g`, "null"),
      // The second of two members counts.
      row('h","id":"i', "1"),
      row("j", `1,${usage.replace("5", "8")}`),
      row("k", "1", `,"toolUseResult":{${usage}}`),
      row("l", "1", ',"message":null'),
      row("v", `"${"x".repeat(10_000)}"`),
    ];
    for (const line of lines) {
      assert.equal(outcomeOf(line), whole, line);
      assertAgrees(line);
    }
  });

  it("is not there when there is no room for it", () => {
    assert.equal(kernelIfPossible(2 ** 33), null);
    assert.ok(kernelIfPossible(1 << 12));
  });
});
