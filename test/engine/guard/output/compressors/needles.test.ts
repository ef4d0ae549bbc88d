import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compressOutput } from "../../../../../src/engine/guard/output/compressors/compress.ts";
import { outliersOf } from "../../../../../src/engine/guard/output/compressors/outliers.ts";
import { realOutputs } from "./support/corpus.ts";
import { plantNeedle } from "./support/needles.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { restoredLines } from "./support/lines.ts";

/** Positions of the lines that are unlike the others. */
function unlike(texts: readonly string[], isImportant: (text: string) => boolean = () => false): number[] {
  return [...outliersOf(texts.map((text) => ({ text, isImportant: isImportant(text) })))];
}

describe("a line that matters", () => {
  it("survives wherever it is planted in a real output", () => {
    const random = seededRandom(11);
    let made = 0;
    for (const { name, text, about } of realOutputs())
      for (let draw = 0; draw < 25; draw += 1) {
        const needle = plantNeedle(text, random);
        const shorter = needle === null ? null : compressOutput(needle.text, about);
        if (needle === null || shorter === null) continue;
        made += 1;
        const isThere = restoredLines(shorter.text).some((line) => line.includes(needle.mark));
        assert.ok(isThere, `${name}, ${needle.kind}: ${needle.mark}`);
      }
    assert.ok(made > 300, `${made} outputs are shortened`);
  });
});

describe("lines unlike the others", () => {
  const rows = (row: (at: number) => string, odd: string) =>
    Array.from({ length: 200 }, (_, at) => (at === 120 ? odd : row(at)));
  const likeRow = (at: number) => `✓ weighs berth ${at} (${at % 9} ms)`;

  for (const [name, odd] of [
    ["a number far above the others", "✓ weighs berth 120 (4812 ms)"],
    ["a number less", "✓ weighs berth tide (3 ms)"],
    ["another unit", "✓ weighs berth 120 (3s)"],
    ["a longer number", "✓ weighs berth 0000120 (3 ms)"],
    ["a sign for a missing value", "✓ weighs - 120 (3 ms)"],
    ["a further part", "✓ weighs berth 120 (3 ms) [retried]"],
    ["another script", "✓ weighs バース 120 (3 ms)"],
    ["another sign", "✓ weighs berth 120 (3 ms)!"],
    ["a rare word", "✓ stale berth 120 (3 ms)"],
    ["another start", "- weighs berth 120 (3 ms)"],
    ["capitals", "✓ weighs BERTH 120 (3 ms)"],
    ["a missing part", "✓ weighs berth 120"],
  ] as const)
    it(`have ${name}`, () => {
      assert.deepEqual(unlike(rows(likeRow, odd)), [120]);
    });

  it("have a number far below the others, or another last word", () => {
    const berth = (tonnes: number, end: string) => `moored ${tonnes} tonnes at the ${end}`;
    const likeBerth = (at: number) => berth(20 + (at % 7), at % 2 === 0 ? "quay" : "pier");
    assert.deepEqual(unlike(rows(likeBerth, berth(0, "quay"))), [120]);
    assert.deepEqual(unlike(rows(likeBerth, berth(22, "buoy"))), [120]);
  });

  it("are not sought where every line is unlike", () => {
    const words = "crane quay tide pilot mast knot reef hull deck bow stern keel".split(" ");
    const random = seededRandom(5);
    const lines = Array.from({ length: 300 }, () =>
      Array.from(
        { length: 2 + Math.floor(random() * 9) },
        () => `${words[Math.floor(random() * 12)] ?? ""}${Math.floor(random() * 1e9).toString(36)}`,
      ).join(" "),
    );
    assert.ok(unlike(lines).length < 30);
  });

  it("are those that the caller calls important, if few are", () => {
    assert.deepEqual(
      unlike(rows(likeRow, likeRow(120)), (line) => line.includes(" 77 ")),
      [77],
    );
    assert.equal(unlike(rows(likeRow, likeRow(120)), () => true).length, 0);
  });

  it("are all of a few", () => {
    assert.equal(unlike(["a", "b", "c"]).length, 3);
    assert.equal(unlike([]).length, 0);
  });
});
