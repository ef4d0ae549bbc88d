import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RowReader } from "../../../../src/engine/transcripts/scan/row-reader.ts";
import { RowTemplate, RowTrace } from "../../../../src/engine/transcripts/scan/row-template.ts";
import { RowValues } from "../../../../src/engine/transcripts/scan/slot-values.ts";
import { rowText } from "./arbitrary-row.ts";
import { assertReadsLikeReference, readingOf } from "./reading.ts";
import { sampleLines } from "./sample-lines.ts";

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

describe("template of rows", () => {
  it("reads rows like those before them as a new reader does, and as JSON.parse and a schema do", () => {
    fc.assert(
      fc.property(rows, rows, fc.nat(), (some, others, order) => {
        const reader = new RowReader();
        const mixed = [...some, ...others, ...some].map((line, index) => ({
          line,
          place: (index * order) % 7,
        }));
        for (const { line } of mixed.toSorted((one, other) => one.place - other.place)) {
          const bytes = Buffer.from(line);
          assert.deepEqual(readingOf(reader, bytes), readingOf(new RowReader(), bytes), line);
          assertReadsLikeReference(reader, bytes);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("is not fooled by rows made to fit one", () => {
    const reader = new RowReader();
    const usage = '"usage":{"input_tokens":1,"output_tokens":5}';
    const row = (id: string, content: string, rest = "") =>
      `{"type":"assistant","message":{"id":"${id}","content":${content},${usage}}${rest}}`;
    const nested = '[{"type":"tool_use","input":{"usage":{"output_tokens":99},"message":{"id":"inner"}}}]';
    const lines = [
      row("a", "1"),
      row("b", '"text"'),
      row("c", nested),
      row("d", JSON.stringify(row("e", nested))),
      row("e", String.raw`"\\\",\"usage\":{\"output_tokens\":99}"`),
      row(String.raw`f\",\"id\":\"g`, "null"),
      // The second of two members counts.
      row('h","id":"i', "1"),
      row("j", `1,${usage.replace("5", "8")}`),
      row("k", "1", `,"toolUseResult":{${usage}}`),
      row("l", "1", ',"message":null'),
      // Cut off, or not JSON within a value.
      row("m", "[1,]"),
      row("n", '{"a" 1}'),
      row("o", '"\\"'),
      row("p", "1").slice(0, -1),
      `${row("q", "1")}}`,
      `\uFEFF${row("r", "1")}`,
      `${row("s", "1")}\r`,
      row("t", " 1 "),
      row("u\u0001", "1"),
      row("v", `"${"x".repeat(100_000)}"`),
      row("w", "1"),
    ];
    for (const line of [...lines, ...lines, ...lines.toReversed()]) {
      assertReadsLikeReference(reader, Buffer.from(line));
      assert.deepEqual(readingOf(reader, Buffer.from(line)), readingOf(new RowReader(), Buffer.from(line)));
    }
  });

  it("reads the last of members of one name, whichever of them differ", () => {
    const pair = (one: string, other: string) =>
      `{"type":"assistant","message":{"id":"a","id":${one},"id":${other},"usage":{"output_tokens":1}}}`;
    const counts = (one: number, other: number) =>
      `{"type":"assistant","message":{"id":"a","usage":{"output_tokens":${one},"output_tokens":${other}}}}`;
    const texts = ['"a"', String.raw`"\u0062"`, '"c"', String.raw`"\\"`, "null"];
    const reader = new RowReader();
    for (const other of texts)
      for (const one of [...texts, ...texts]) assertReadsLikeReference(reader, Buffer.from(pair(one, other)));
    for (const other of [1, 2, 3])
      for (const one of [5, 6, 7, 8]) assertReadsLikeReference(reader, Buffer.from(counts(one, other)));
  });

  it("has holes where rows differed, and only for values", () => {
    const trace = (id: string, count: string) => {
      const found = new RowTrace();
      const start = '{"id":'.length;
      found.add({ kind: "text", slot: 1, start, end: start + id.length });
      const next = start + id.length + ',"n":'.length;
      found.add({ kind: "count", slot: 2, start: next, end: next + count.length });
      const last = next + count.length + ',"is":'.length;
      found.add({ kind: "fixed", slot: 3, start: last, end: last + "true".length });
      return found;
    };
    const row = (id: string, count: string) => Buffer.from(`{"id":${id},"n":${count},"is":true}`);
    const template = new RowTemplate(row('"a"', "1"), trace('"a"', "1"), new RowValues());
    const holes = () => template.segments.map(({ hole }) => hole?.slot);
    assert.deepEqual(holes(), [undefined]);
    assert.deepEqual(template.segments[0]?.texts, [{ slot: 1, start: 7, end: 8 }]);
    assert.ok(template.widen(row('"a"', "22"), trace('"a"', "22")));
    assert.deepEqual(holes(), [2, undefined]);
    assert.ok(template.widen(row('"bc"', "1"), trace('"bc"', "1")));
    assert.deepEqual(holes(), [1, 2, undefined]);
    const other = Buffer.from('{"id":"a","n":1,"is":null}');
    assert.equal(template.widen(other, trace('"a"', "1")), false);
    assert.equal(template.widen(Buffer.from('{"id":"a","m":1,"is":true}'), trace('"a"', "1")), false);
    assert.equal(template.widen(Buffer.from('{"id":"a","n":1,"is":true} '), trace('"a"', "1")), false);
    assert.deepEqual(holes(), [1, 2, undefined]);
  });
});
