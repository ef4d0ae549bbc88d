import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type AboutOutput,
  compressOutput,
} from "../../../../../src/engine/guard/output/compressors/compress.ts";
import { allOutputs, type CorpusOutput } from "./support/corpus.ts";
import { isNotice, narrowed, restoredLines, statesOf } from "./support/lines.ts";
import { dataOf } from "./support/needles.ts";
import { restoredJson } from "./support/restored.ts";

/** What a reader may ask of an output. Answers of two texts can be compared. */
type Question = readonly [name: string, answer: (lines: readonly string[]) => unknown];

const failing =
  /^\s*(?:✖|×|✕|✘|●|not ok|--- FAIL:|FAIL(?:ED)?\b|\d+\) )\s*(?<name>\S.*)$|(?<other>\S+) (?:FAILED|\(FAILED)/u;
const place = /[\w./-]+\.\w{1,5}:\d+/gu;
const summary = /\b\d+ (?:pass|fail|error|warning|test|example|problem|unchanged|to add)\w*/giu;
const codes = /\b(?:exit(?:ed)?(?: with)?(?: code| status)?:?|status|code) \(?(?<code>\d+)/giu;

/** Questions on outputs of which rows are left out: these are answered by the rows that remain. */
const general: readonly Question[] = [
  ["the names of failing tests", (lines) => lines.flatMap((line) => failing.exec(line)?.[0].trim() ?? [])],
  ["the places in lines of errors", (lines) => placesIn(lines.filter((line) => /\berror\b/iu.test(line)))],
  ["the sums of the run", (lines) => lines.flatMap((line) => line.match(summary)?.join() ?? []).slice(-1)],
  ["the exit codes", (lines) => [...new Set(lines.join("\n").match(codes))].sort()],
];

/** Questions on outputs that are written without loss: all rows count. */
const exact: readonly Question[] = [
  ["the number of rows", (lines) => lines.filter((line) => line.trim() !== "").length],
  [
    "the first and the last row",
    (lines) => [lines.find((line) => line !== ""), lines.findLast((line) => line !== "")],
  ],
  ["how many rows have each word in a column", (lines) => wordsByColumn(lines)],
  ["the row with the greatest number of each column", (lines) => greatestRows(lines)],
];

const withoutLoss = new Set(["columns", "equal-lines", "line-starts", "paths", "times"]);

function placesIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => line.match(place) ?? []))].sort();
}

function wordsByColumn(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const [column, word] of line.split(/[\s|│]+/u).entries())
      counts.set(`${column} ${word}`, (counts.get(`${column} ${word}`) ?? 0) + 1);
  return counts;
}

function greatestRows(lines: readonly string[]): readonly string[] {
  const rows: { value: number; line: string }[] = [];
  for (const line of lines)
    for (const [column, text] of (line.match(/\d+(?:\.\d+)?/gu) ?? []).entries())
      if (Number(text) > (rows[column]?.value ?? -1)) rows[column] = { value: Number(text), line };
  return rows.map(({ line }) => line);
}

function answered(
  output: CorpusOutput,
  about: AboutOutput,
): readonly (readonly [name: string, before: unknown, after: unknown])[] {
  const made = compressOutput(output.text, about);
  if (made === null) return [];
  if (made.compressor === "json") return [["all data", dataOf(output.text), restoredJson(made.text)]];
  const before = statesOf(output.text).map(narrowed);
  const restored = restoredLines(made.text);
  const after = restored.filter((line) => !isNotice(line)).flatMap((line) => statesOf(line).map(narrowed));
  const questions =
    withoutLoss.has(made.compressor) && !restored.some(isNotice) ? [...general, ...exact] : general;
  return questions.map(([name, answer]) => [name, answer(before), answer(after)]);
}

describe("a smaller output", () => {
  const asked = allOutputs()
    .filter(({ isTerminal, text }) => !isTerminal && !/[\r\u001B]/u.test(text))
    .flatMap((output) =>
      [output.about, { ...output.about, command: null }].flatMap((about) =>
        answered(output, about).map((each) => ({ name: output.name, each })),
      ),
    );

  it("answers questions as the original does", () => {
    for (const { name, each } of asked) assert.deepEqual(each[2], each[1], `${name}: ${each[0]}`);
  });

  it("is asked many questions that have an answer", () => {
    const told = asked.filter(({ each: [, before] }) => !Array.isArray(before) || before.length > 0);
    assert.ok(told.length > 300, `${told.length} answers`);
    for (const [question] of [...general, ...exact])
      assert.ok(
        told.some(({ each: [name] }) => name === question),
        question,
      );
  });

  it("says how many rows are left out, so that the kept and the left out add up", () => {
    const passing = Array.from({ length: 312 }, (_, at) => `test berth::moors_${at} ... ok`);
    const text = [
      "running 313 tests",
      ...passing,
      "test berth::weighs ... FAILED",
      "",
      "test result: FAILED. 312 passed; 1 failed",
    ].join("\n");
    const made = compressOutput(text, { command: [["cargo", "test"]], isFailure: true });
    const left = [...(made?.text ?? "").matchAll(/\[… (?<count>[\d,]+) passing tests? left out …\]/gu)];
    const sum = left.reduce((total, { groups }) => total + Number(groups?.["count"]?.replaceAll(",", "")), 0);
    const kept = (made?.text.match(/ \.\.\. ok$/gmu) ?? []).length;
    assert.equal(sum + kept, 312);
    assert.ok(sum > 290, `${sum} left out`);
  });
});
