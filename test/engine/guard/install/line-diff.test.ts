import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { diffLines } from "../../../../src/engine/guard/install/line-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "{"), { maxLength: 12 });

describe("a comparison by lines", () => {
  it("shows what changes with three lines around", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const [part, ...more] = diffLines(before, before.replace("5\n", "five\n"));
    assert.deepEqual(more, []);
    assert.equal(part?.oldLine, 2);
    assert.deepEqual(
      part.lines.map(({ kind, text }) => `${kind} ${text}`),
      ["same 2", "same 3", "same 4", "gone 5", "new five", "same 6", "same 7", "same 8"],
    );
  });

  it("has parts of their own for what is far apart, and none where nothing changes", () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}`).join("\n");
    const parts = diffLines(before, before.replace("\n2\n", "\n").replace("\n18", "\nx"));
    assert.deepEqual(
      parts.map(({ oldLine, newLine }) => [oldLine, newLine]),
      [
        [1, 1],
        [16, 15],
      ],
    );
    assert.deepEqual(diffLines(before, before), []);
  });

  it("leads from the one text to the other", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        let at = 0;
        const made: string[] = [];
        for (const part of diffLines(`${before.join("\n")}\n`, `${after.join("\n")}\n`)) {
          made.push(...before.slice(at, part.oldLine - 1));
          at = part.oldLine - 1;
          for (const { kind, text } of part.lines) {
            if (kind !== "new") assert.equal(before[at++] ?? "", text);
            if (kind !== "gone") made.push(text);
          }
        }
        made.push(...before.slice(at));
        assert.equal(made.join("\n"), after.join("\n"));
      }),
    );
  });
});
