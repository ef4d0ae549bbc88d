import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { diffHunks, lineDiff, type DiffLine } from "../../../../src/engine/base/text/line-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "{", "", "d\r"), { maxLength: 12 });
const text = lines.map((each) => each.map((line) => `${line}\n`).join(""));

/** Rebuilds one of the two texts from the lines of a diff. */
const side = (diff: readonly DiffLine[], sign: "-" | "+") =>
  diff.filter((line) => line.sign === " " || line.sign === sign).map((line) => `${line.text}\n`);

describe("a difference by lines", () => {
  it("holds both texts", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after);
        assert.deepEqual([side(diff, "-").join(""), side(diff, "+").join("")], [before, after]);
      }),
    );
  });

  it("changes no more lines than the longest common subsequence leaves", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(
          before.map((line) => `${line}\n`).join(""),
          after.map((line) => `${line}\n`).join(""),
        );
        const kept = diff.filter(({ sign }) => sign === " ").length;
        assert.equal(kept, commonLength(before, after));
      }),
    );
  });

  it("lists the removed lines before the added ones", () => {
    assert.deepEqual(
      lineDiff("a\nb\nc\n", "a\nx\nc").map(({ sign, text: shown }) => `${sign}${shown}`),
      [" a", "-b", "+x", " c"],
    );
  });

  it("lists texts with almost nothing in common as wholly replaced", () => {
    const many = (word: string) => Array.from({ length: 600 }, (_, index) => `${word}${index}\n`).join("");
    const diff = lineDiff(`same\n${many("old")}`, `same\n${many("new")}`);
    assert.deepEqual(
      [diff[0], diff[601]],
      [
        { sign: "-", text: "same" },
        { sign: "+", text: "same" },
      ],
    );
    assert.equal(side(diff, "+").join(""), `same\n${many("new")}`);
  });
});

describe("hunks", () => {
  it("show what changes with three lines around", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const [hunk, ...more] = diffHunks(before, before.replace("5\n", "five\n"));
    assert.deepEqual(more, []);
    assert.deepEqual([hunk?.oldLine, hunk?.newLine], [2, 2]);
    assert.deepEqual(
      hunk?.lines.map((line) => `${line.sign}${line.text}`),
      [" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
    );
  });

  it("separates distant changes, and is empty without changes", () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}`).join("\n");
    const hunks = diffHunks(before, before.replace("\n2\n", "\n").replace("\n18", "\nx"));
    assert.deepEqual(
      hunks.map(({ oldLine, newLine }) => [oldLine, newLine]),
      [
        [1, 1],
        [16, 15],
      ],
    );
    assert.deepEqual(diffHunks(before, before), []);
  });

  it("lead from the one text to the other", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        let at = 0;
        const made: string[] = [];
        for (const hunk of diffHunks(`${before.join("\n")}\n`, `${after.join("\n")}\n`)) {
          made.push(...before.slice(at, hunk.oldLine - 1));
          at = hunk.oldLine - 1;
          for (const line of hunk.lines) {
            if (line.sign !== "+") assert.equal(before[at++] ?? "", line.text);
            if (line.sign !== "-") made.push(line.text);
          }
        }
        made.push(...before.slice(at));
        assert.equal(made.join("\n"), after.join("\n"));
      }),
    );
  });
});

/** Length of the longest common subsequence of lines. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one;
  if (first === undefined) return 0;
  const at = other.indexOf(first);
  const without = commonLength(rest, other);
  return at < 0 ? without : Math.max(without, 1 + commonLength(rest, other.slice(at + 1)));
}
