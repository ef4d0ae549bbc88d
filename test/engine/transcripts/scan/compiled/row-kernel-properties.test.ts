import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { joined, unwanted } from "../../../../../src/engine/transcripts/scan/compiled/row-kernel.ts";
import { mayBeWanted } from "../../../../../src/engine/transcripts/scan/line-sniff.ts";
import { rowText } from "../arbitrary-row.ts";
import { sampleLines } from "../sample-lines.ts";
import { assertAgrees, outcomeOf } from "./agreement.ts";
import { jumbledRow } from "./jumbled-row.ts";

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/gsu;
/** Replacements for a value: values of all kinds, and texts that only resemble one. */
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

/** A row similar to another one: some of its values, and perhaps keys, are replaced. */
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

describe("compiled reader of arbitrary rows", () => {
  it("agrees with the other reader, or declines", () => {
    fc.assert(
      fc.property(rows, fc.nat(), (lines, seed) => {
        for (const line of lines) assertAgrees(line, seed);
      }),
      { numRuns: 3000 },
    );
  });

  it("agrees on rows with several members of the same name", () => {
    fc.assert(
      fc.property(jumbledRow, (line) => {
        // Only rows that name their type once are certainly unwanted.
        if ([unwanted, joined].includes(outcomeOf(line)))
          assert.ok(!mayBeWanted(Buffer.from(line), 0, line.length), line);
        else assertAgrees(line);
      }),
      { numRuns: 4000 },
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
});
