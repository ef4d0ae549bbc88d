import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  compressOutput,
  type Compressed,
} from "../../../../../src/engine/guard/output/compressors/compress.ts";
import { isNotice, firstStray, narrowed, statesOf, restoredLines } from "./support/lines.ts";
import { allOutputs, toolOf, type CorpusOutput } from "./support/corpus.ts";
import { dataOf } from "./support/needles.ts";
import { restoredJson } from "./support/restored.ts";
import { mustSurvive } from "./support/telling-lines.ts";

const outputs = allOutputs();
const unknown = (output: CorpusOutput) => ({ command: null, isFailure: output.about.isFailure });

/** Each output with its command, and by its shape alone. */
const cases = outputs.flatMap((output) =>
  [output.about, unknown(output)].map((about) => ({
    output,
    about,
    made: compressOutput(output.text, about),
  })),
);
const shortened = cases.flatMap(({ made, ...each }) => (made === null ? [] : [{ ...each, made }]));

/** Outputs that are shortened line by line. */
const byLines = shortened.filter(({ made }) => made.compressor !== "json");

const nameOf = ({ output, about }: { output: CorpusOutput; about: { command: unknown } }) =>
  about.command === null ? `${output.name}, command unknown` : output.name;

function linesOfBlocks({ text }: Compressed): string[] {
  return restoredLines(text)
    .flatMap((line) => line.split("\r"))
    .filter((line) => !isNotice(line))
    .map(narrowed);
}

describe("outputs of real tools", () => {
  it("are 150 and more, of 60 tools and more", () => {
    assert.ok(outputs.length >= 150, `${outputs.length} outputs`);
    assert.equal(new Set(outputs.map(({ name }) => name)).size, outputs.length, "each has a name of its own");
    const tools = new Set(outputs.map(toolOf));
    assert.ok(tools.size >= 60, `${tools.size} tools`);
    assert.ok(outputs.filter(({ source }) => source === "run").length >= 100);
  });

  it("become smaller in many formats, but for files' texts", () => {
    const known = cases.filter(({ about }) => about.command !== null);
    const unchanged = new Set(known.filter(({ made }) => made === null).map(({ output }) => output.name));
    for (const name of ["git-diff", "sed-file", "diff-recursive", "psql", "mysql"])
      assert.ok(unchanged.has(name), name);
    assert.ok(known.length - unchanged.size > 100, `${known.length - unchanged.size} are smaller`);
    const formats = new Set(known.map(({ made }) => made?.compressor));
    for (const format of ["json", "columns", "equal-lines", "line-starts", "paths", "times", "general"])
      assert.ok(formats.has(format), format);
  });

  for (const { output, about, made } of shortened)
    if (made.compressor === "json")
      it(`keep all data: ${nameOf({ output, about })}`, () => {
        assert.deepEqual(restoredJson(made.text), dataOf(output.text));
      });

  for (const each of byLines)
    it(`keep each informative line: ${nameOf(each)}`, () => {
      const remaining = new Set(linesOfBlocks(each.made));
      const lost = statesOf(each.output.text).filter(
        (line) => mustSurvive(line) && !remaining.has(narrowed(line)),
      );
      assert.deepEqual(lost, []);
    });

  it("have informative lines, by this test's rule", () => {
    const counts = outputs.map(({ name, text }) => ({
      name,
      count: statesOf(text).filter(mustSurvive).length,
    }));
    const sum = counts.reduce((total, { count }) => total + count, 0);
    assert.ok(sum > 500, `${sum} lines`);
  });

  for (const each of byLines)
    it(`keep lines unchanged and in order: ${nameOf(each)}`, () => {
      const states = statesOf(each.output.text).map(narrowed);
      assert.equal(firstStray(linesOfBlocks(each.made), states), null);
    });

  it("do not become smaller twice, even with a note of the original", () => {
    for (const { about, made } of shortened) {
      assert.equal(compressOutput(made.text, about), null);
      assert.equal(compressOutput(`${made.text}\n[the original: purser output 12]`, about), null);
      assert.equal(compressOutput(`[the original: purser output 12]\n${made.text}`, about), null);
    }
  });

  it("save at least a tenth of their bytes", () => {
    for (const { output, made } of shortened) {
      const before = Buffer.byteLength(output.text);
      assert.ok(Buffer.byteLength(made.text) <= before * 0.9, output.name);
      assert.ok(before >= 2048, output.name);
    }
  });

  it("are a file's text if a program reads one, and then do not change", () => {
    const readers = [
      ["cat", "a"],
      ["sed", "-n", "1,80p", "a"],
      ["head", "-50", "a"],
      ["tail", "a"],
      ["less", "a"],
      ["nl", "a"],
      ["bat", "a"],
    ];
    for (const { text } of outputs)
      for (const words of readers) {
        const made = compressOutput(text, { command: [words], isFailure: false });
        const plain = statesOf(text).join("\n");
        if (made !== null) assert.equal(statesOf(made.text).join("\n"), plain);
      }
  });

  it("do not change if a tool failed in an unknown way", () => {
    const failed = outputs.filter(({ name }) => ["server-log", "http-log", "wget-progress"].includes(name));
    assert.equal(failed.length, 3);
    for (const { text } of failed)
      assert.equal(compressOutput(text, { command: [["node", "a.js"]], isFailure: true }), null);
  });
});
