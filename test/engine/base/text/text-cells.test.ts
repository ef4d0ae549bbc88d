import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cellsOf, cutCellsEnd, cutCellsMiddle, wrapCells } from "../../../../src/engine/cli/text-cells.ts";
import { cleanText } from "../../../../src/engine/base/text/text.ts";

/** Any text that may be printed, with plenty of what is not one cell wide. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom(
        "ログイン",
        "修复登录测试",
        "로그인",
        "إصلاح",
        "תיקון",
        "👍🏽",
        "🇯🇵",
        "e\u0301",
        "กำ",
        " ",
        "plain words",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => cleanText(parts.join("")));

describe("the cells of a text", () => {
  const table: readonly [text: string, cells: number, what: string][] = [
    ["", 0, "nothing"],
    ["harbor", 6, "plain letters"],
    ["Überprüfung", 11, "letters with marks of their own"],
    ["e\u0301te\u0301", 3, "letters with combining marks"],
    ["登录", 4, "Chinese"],
    ["ログイン", 8, "Japanese"],
    ["ﾛｸﾞ", 3, "half-width Japanese, whose voicing mark takes a cell"],
    ["로그인", 6, "Korean"],
    ["\u1112\u1161\u11ab", 2, "a Korean syllable of single letters"],
    ["إصلاح", 5, "Arabic"],
    ["שָׁלוֹם", 4, "Hebrew with points"],
    ["กำ", 2, "Thai"],
    ["🚀", 2, "an emoji"],
    ["👍🏽", 2, "an emoji with a colour of skin"],
    ["👩‍👩‍👧", 2, "a family"],
    ["🇯🇵", 2, "a flag"],
    ["✔", 1, "a sign that is text by default"],
    ["✔\ufe0f", 2, "the same sign as a picture"],
    ["─…·", 3, "signs of ambiguous width"],
    ["\u2068abc\u2069", 3, "an isolate"],
  ];
  for (const [text, cells, what] of table)
    it(`counts ${cells} for ${what}`, () => assert.equal(cellsOf(text), cells));

  it("adds up over a text's characters", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => cellsOf(segment));
        assert.equal(
          cellsOf(text),
          parts.reduce((sum, cells) => sum + cells, 0),
        );
      }),
    );
  });
});

describe("text cut to cells", () => {
  const cuts: readonly [cut: string, text: string, cells: number, expected: string][] = [
    ["end", "harbor", 6, "harbor"],
    ["end", "harbor", 5, "harb…"],
    ["end", "Fix the login", 5, "Fix…"],
    ["end", "ログイン", 8, "ログイン"],
    ["end", "ログイン", 7, "ログイ…"],
    ["end", "ログイン", 6, "ログ…"],
    ["end", "harbor", 1, "…"],
    ["middle", "/home/dev/harbor", 7, "/ho…bor"],
    ["middle", "/home/ログイン", 8, "/home…ン"],
    ["middle", "ログイン", 3, "ロ…"],
  ];
  for (const [cut, text, cells, expected] of cuts)
    it(`at its ${cut}: ${text} in ${cells}`, () =>
      assert.equal((cut === "end" ? cutCellsEnd : cutCellsMiddle)(text, cells), expected));

  it("is never wider than the limit, and begins and ends as the text does", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, cells) => {
        for (const cut of [cutCellsEnd(text, cells), cutCellsMiddle(text, cells)]) {
          assert.ok(cellsOf(cut) <= cells, `${JSON.stringify(cut)} has ${cellsOf(cut)} of ${cells}`);
          if (cut === text) continue;
          const at = cut.indexOf("…", cut.startsWith("…") ? 0 : 1);
          assert.ok(text.startsWith(cut.slice(0, at)) && text.endsWith(cut.slice(at + 1)), cut);
        }
        assert.equal(cutCellsEnd(text, Infinity), text);
        assert.equal(cutCellsMiddle(text, cellsOf(text)), text);
      }),
    );
  });

  it("of megabytes costs little", { timeout: 60_000 }, () => {
    const text = "登".repeat(5_000_000);
    assert.deepEqual([cutCellsEnd(text, 5), cutCellsMiddle(text, 5)], ["登登…", "登…登"]);
  });
});

describe("text in lines", () => {
  it("wraps between words", () =>
    assert.deepEqual(wrapCells("asks before it removes a file", 12), [
      "asks before",
      "it removes a",
      "file",
    ]));
  it("wraps within a word that is wider than a line", () =>
    assert.deepEqual(wrapCells("in /home/dev/harbor", 8), ["in", "/home/de", "v/harbor"]));
  it("breaks wide characters before they stick out", () =>
    assert.deepEqual(wrapCells("修复登录测试", 5), ["修复", "登录", "测试"]));
  it("wraps between Japanese characters, but not within a word in katakana or before a mark", () => {
    assert.deepEqual(wrapCells("設定は purser のフックで「変更」する。", 12), [
      "設定は",
      "purser の",
      "フックで「変",
      "更」する。",
    ]);
    assert.deepEqual(wrapCells("次のセッション、", 8), ["次の", "セッショ", "ン、"]);
  });

  it("loses nothing, and no line is wider than the limit", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, cells) => {
        const lines = wrapCells(text, cells);
        assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
        for (const line of lines) assert.ok(cellsOf(line) <= cells, JSON.stringify(line));
      }),
    );
  });
});
