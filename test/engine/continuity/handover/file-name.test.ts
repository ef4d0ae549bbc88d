import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { documentFileName, workName } from "../../../../src/engine/continuity/handover/file-name.ts";

const at = new Date(2026, 10, 30, 12).getTime();

it("A document is named by its day and the first words that asked for the work", () => {
  for (const [asked, name] of [
    ["Fix booking dates", "2026-11-30 Fix booking dates.md"],
    ["Fix the booking dates. They are a day late in\nwinter.", "2026-11-30 Fix the booking dates.md"],
    [
      "Please make the table of tides scroll on phones without losing its heading and its first column",
      "2026-11-30 Please make the table of tides scroll on phones.md",
    ],
    ['../../etc: what <is> "it"?', "2026-11-30 etc what is it.md"],
    ["予約の日付を直す", "2026-11-30 予約の日付を直す.md"],
    ["\u202e...", "2026-11-30 Handover.md"],
    ["key sk-ant-api03-abcdefgh12345678ABCDEFGH", null],
  ] as const) {
    const made = documentFileName({ name: workName(asked), at }, () => false);
    if (name === null) assert.doesNotMatch(made, /abcdefgh12345678/u);
    else assert.equal(made, name);
  }
});

it("A taken name is counted on, and a folder that cannot be read does not hang", () => {
  const taken = new Set(["2026-11-30 A.md", "2026-11-30 A (2).md"]);
  assert.equal(
    documentFileName({ name: "A", at }, (name) => taken.has(name)),
    "2026-11-30 A (3).md",
  );
  assert.match(
    documentFileName({ name: "A", at }, () => true),
    /\.md$/u,
  );
});

it("Any name is one that every system accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (asked) => {
      const name = documentFileName({ name: workName(asked), at }, () => false);
      assert.match(name, /^2026-11-30 [^<>:"/\\|?*\p{Cc}]+\.md$/u);
      assert.doesNotMatch(name, /[ .]\.md$/u);
      assert.ok(Buffer.byteLength(name) <= 250, name);
      assert.equal(Buffer.from(name).toString(), name);
    }),
  );
});
