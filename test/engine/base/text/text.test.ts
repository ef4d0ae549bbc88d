import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { asSentence, cleanText, cutEnd, cutMiddle, shorten } from "../../../../src/engine/base/text/text.ts";

const cleaned: readonly (readonly [name: string, text: string, shown: string])[] = [
  ["plain text", "Fix the tide table", "Fix the tide table"],
  ["letters of any script, and emoji", "né 日本 ελ 🚢", "né 日本 ελ 🚢"],
  [
    "line breaks and tabs",
    "\r\n one\n\ttwo\u2028three\u2029four\u0085five\u3000six ",
    "one two three four five six",
  ],
  ["colours", "\u001b[1;31mred\u001b[0m and \u009b32mgreen", "red and green"],
  [
    "a window's title",
    "\u001b]0;owned\u0007shown \u001b]8;;http://x\u001b\\link\u009d0;t\u009c",
    "shown link",
  ],
  ["a title that never ends", "\u001b]0;still shown", "0;still shown"],
  ["two-byte escapes", "a\u001bcb\u001b(Bc", "abc"],
  ["controls", "a\u0000b\u0008c\u007fd\u0090e", "abcde"],
  ["marks that reorder", "safe\u202Eexe.txt\u202C \u2066x\u2069\u200F", "safeexe.txt x"],
  ["marks without width", "a\u200Bb\u200Cc\u200Dd\u2060e\u00ADf\u034Fg", "abcdefg"],
  ["fillers and variation selectors", "a\u3164b\u115Fc\uFE0Fd\u{E0100}e\u{E0041}f", "abcdef"],
  ["what stands for nothing", "a\uFEFFb\uFFFDc\uE000d\uD800e", "abcde"],
  ["white space around what is removed", "a \u200B \u0007 b", "a b"],
];

const spelt = (text: string) =>
  text.replace(/\P{ASCII}|\u001b/gu, (mark) => `U+${mark.charCodeAt(0).toString(16)}`);

/** Text made mostly of characters that fool a terminal or a reader. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\u001b",
        "\u001b[",
        "\u001b]0;",
        "\u009b",
        "\u009d",
        "\u009c",
        "\u0007",
        "\u001b\\",
        "31m",
      ),
      fc.constantFrom(
        " ",
        "\n",
        "\u0085",
        "\u200B",
        "\u202E",
        "\uFEFF",
        "\uFE0F",
        "\u3164",
        "\uD83D",
        "\uDE00",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("cleaning a text", () => {
  for (const [name, text, shown] of cleaned) it(`of ${name}`, () => assert.equal(cleanText(text), shown));

  it("leaves no control, mark of direction, or character without width", () => {
    const left =
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFFD]/u;
    fc.assert(fc.property(hostile, (text) => assert.doesNotMatch(cleanText(text), left)));
  });

  it("leaves single spaces between words only", () => {
    fc.assert(fc.property(hostile, (text) => assert.doesNotMatch(cleanText(text), /^\s|\s$|\s\s|[^\S ]/u)));
  });

  it("twice changes nothing", () => {
    fc.assert(fc.property(hostile, (text) => assert.equal(cleanText(cleanText(text)), cleanText(text))));
  });

  it("keeps printable ASCII as it is", () => {
    const words = fc.array(fc.stringMatching(/^[!-~]+$/u), { minLength: 1 });
    fc.assert(fc.property(words, (parts) => assert.equal(cleanText(parts.join(" ")), parts.join(" "))));
  });

  for (const beginning of ["\u009d", "\u001b]", "\u001b[", "\u009b0", "\u001b ", "\u200B ", " "]) {
    it(`costs little for any number of ${spelt(beginning)} comes`, { timeout: 60_000 }, () => {
      // Growth with the square of its length would take minutes.
      assert.ok(cleanText(beginning.repeat(500_000)).length <= beginning.length * 500_000);
    });
  }
});

describe("cutting out the middle", () => {
  it("keeps what fits", () => assert.equal(cutMiddle("harbor", 6), "harbor"));
  it("keeps both ends of what does not", () => assert.equal(cutMiddle("/home/dev/harbor", 7), "/ho…bor"));
  it("has room for nothing but the mark", () => assert.equal(cutMiddle("harbor", 1), "…"));
  it("has no room", () => assert.equal(cutMiddle("harbor", 0), ""));
  it("counts characters as people see them", () => assert.equal(cutMiddle("👩‍👩‍👧👍🏽éxyz", 4), "👩‍👩‍👧👍🏽…z"));

  it("is never longer than the limit, and begins and ends like the text", () => {
    const word = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const cut = cutMiddle(text, length);
        assert.ok([...new Intl.Segmenter().segment(cut)].length <= length);
        const [head = "", tail = ""] = cut === text ? [text, text] : cut.split("…");
        assert.ok(text.startsWith(head) && text.endsWith(tail));
      }),
    );
  });

  it("of megabytes costs little", { timeout: 60_000 }, () => {
    assert.equal(cutMiddle("x".repeat(20_000_000), 5), "xx…xx");
  });
});

describe("a title cut at its end", () => {
  const title = "Remember the basket of a customer";
  it("ends with a whole word where one is near", () => {
    assert.equal(cutEnd(title, 40), title);
    assert.equal(cutEnd(title, 21), "Remember the basket…");
    assert.equal(cutEnd(title, 20), "Remember the basket…");
    assert.equal(cutEnd("Remembrance", 6), "Remem…");
    assert.deepEqual([cutEnd(title, 1), cutEnd(title, 0)], ["…", ""]);
  });
  it("is never longer than it may be, begins the text, and takes no time for one of megabytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 40 }), (text, length) => {
        const cut = cutEnd(text, length);
        assert.ok(Array.from(new Intl.Segmenter().segment(cut)).length <= length || cut === text);
        assert.ok(cut === text || text.startsWith(cut.slice(0, -1)));
      }),
    );
    assert.equal(cutEnd("x".repeat(20_000_000), 5), "xxxx…");
  });
});

describe("shorten", () => {
  it("cuts prose at its end, and paths and names in the middle, even paths with spaces", () => {
    assert.equal(shorten("Fix the flaky login test in src/login.ts", 25), "Fix the flaky login test…");
    assert.equal(shorten("/home/ann/My Projects/harbor/src/tide.ts", 21), "/home/ann/…rc/tide.ts");
    assert.equal(shorten(String.raw`C:\Users\ann\My Projects\harbor`, 17), String.raw`C:\Users…s\harbor`);
    assert.equal(shorten("feature/tide-table-of-next-year", 15), "feature…xt-year");
    assert.equal(shorten("short one", 9), "short one");
  });
});

describe("a sentence", () => {
  const table: readonly [text: string, expected: string][] = [
    ["", ""],
    [" the file is gone ", "The file is gone."],
    ["Done?", "Done?"],
    ["ファイルがありません", "ファイルがありません。"],
    ["終わりました。", "終わりました。"],
    ["3 件合格", "3 件合格。"],
  ];
  for (const [text, expected] of table)
    it(`is made of ${JSON.stringify(text)}`, () => assert.equal(asSentence(text), expected));
});
