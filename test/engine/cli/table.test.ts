import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { cellsOf } from "../../../src/engine/cli/text-cells.ts";
import { cleanText } from "../../../src/engine/base/text/text.ts";
import { styleFor, type Style } from "../../../src/engine/cli/style.ts";
import { alignColumns, formatTable, type Column } from "../../../src/engine/cli/table.ts";

function terminal(columns: number | undefined, isTTY = true): Style {
  return styleFor({ env: {}, stdout: { write: () => true, isTTY, columns } });
}

/** The lines of a table in a terminal of some width, without colour. */
function linesIn(width: number, columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  return stripVTControlCharacters(alignColumns(columns, rows, terminal(width)))
    .trimEnd()
    .split("\n");
}

const people: readonly Column[] = [
  { title: "Who", fit: "end", minWidth: 6 },
  { title: "Where", fit: "middle", minWidth: 8, dropped: 2 },
  { title: "Age", isFigure: true },
  { title: "Since", dropped: 1 },
];
const rows = [
  ["Jason of Iolcus", "/home/jason/ships/argo", "31", "yesterday"],
  ["Medea", "/colchis", "7", "today"],
];

describe("a table", () => {
  it("has its full width where there is room", () => {
    assert.deepEqual(linesIn(80, people, rows), [
      "Who              Where                   Age  Since",
      "───────────────────────────────────────────────────────",
      "Jason of Iolcus  /home/jason/ships/argo   31  yesterday",
      "Medea            /colchis                  7  today",
    ]);
  });

  it("narrows the widest column first", () => {
    assert.deepEqual(linesIn(50, people, rows), [
      "Who              Where              Age  Since",
      "──────────────────────────────────────────────────",
      "Jason of Iolcus  /home/ja…ips/argo   31  yesterday",
      "Medea            /colchis             7  today",
    ]);
  });

  it("leaves out columns in their order where narrower ones are not enough", () => {
    assert.deepEqual(linesIn(28, people, rows), [
      "Who          Where       Age",
      "────────────────────────────",
      "Jason of I…  /home…argo   31",
      "Medea        /colchis      7",
    ]);
    assert.deepEqual(linesIn(20, people, rows), [
      "Who              Age",
      "────────────────────",
      "Jason of Iolcus   31",
      "Medea              7",
    ]);
  });

  it("splits a row into several lines if nothing else helps", () => {
    const columns = ["Task", "Input", "Output", "Cached"].map((title, index) => ({
      title,
      isFigure: index > 0,
    }));
    assert.deepEqual(linesIn(24, columns, [["checkout", "1,200,000", "36,000", "9,000,000"]]), [
      "checkout",
      "  Input 1,200,000",
      "  Output 36,000",
      "  Cached 9,000,000",
    ]);
    assert.deepEqual(linesIn(34, columns, [["checkout", "1,200,000", "36,000", "9,000,000"]]), [
      "checkout",
      "  Input 1,200,000 · Output 36,000",
      "  Cached 9,000,000",
    ]);
  });

  it("wraps a column's text if the column allows it", () => {
    const columns: readonly Column[] = [{ title: "Agent" }, { title: "Can", fit: "wrap" }];
    assert.deepEqual(linesIn(30, columns, [["codex", "deny a call, ask the user, add context"]]), [
      "Agent  Can",
      "──────────────────────────────",
      "codex  deny a call, ask the",
      "       user, add context",
    ]);
  });

  it("aligns wide characters by cells, and cuts them so", () => {
    const columns: readonly Column[] = [{ title: "Title", maxWidth: 9 }, { title: "Left" }];
    const titles = ["登录测试修复", "Fix login test", "ログイン", "🚀 launch"];
    assert.deepEqual(
      linesIn(
        80,
        columns,
        titles.map((title) => [title, "x"]),
      ),
      ["Title      Left", "───────────────", "登录测试…  x", "Fix logi…  x", "ログイン   x", "🚀 launch  x"],
    );
  });

  it("isolates text that may run from right to left", () => {
    const [, , row] = linesIn(80, [{ title: "Title" }, { title: "Used" }], [["إصلاح صفحة", "19%"]]);
    assert.equal(row, "\u2068إصلاح صفحة\u2069  19%");
  });

  it("has any width in a pipe or a file, and where the width is not known", () => {
    const wide = [["x".repeat(300), "/y", "1", "z"]];
    for (const style of [terminal(60, false), terminal(undefined), terminal(0)])
      assert.ok(alignColumns(people, wide, style).includes("x".repeat(300)));
  });

  it("is never wider than the terminal, with any content", () => {
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 30 }),
          fc.constantFrom("修复登录", "إصلاح", "🇯🇵", "a b c"),
        ),
        {
          maxLength: 8,
        },
      )
      .map((parts) => cleanText(parts.join("")));
    const column: fc.Arbitrary<Column> = fc.record(
      {
        title: fc.constantFrom("", "Task", "Until compaction"),
        isFigure: fc.boolean(),
        most: fc.integer({ min: 16, max: 60 }),
        fit: fc.constantFrom("end" as const, "middle" as const, "wrap" as const),
        least: fc.integer({ min: 4, max: 30 }),
        dropped: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: ["title"] },
    );
    const table = fc.array(column, { minLength: 1, maxLength: 10 }).chain((columns) => {
      const row = fc.array(text, { minLength: columns.length, maxLength: columns.length });
      return fc.tuple(fc.constant(columns), fc.array(row, { maxLength: 5 }), row);
    });
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 220 }), ([columns, lines, totals], width) => {
        for (const printed of [
          alignColumns(columns, lines, terminal(width)),
          formatTable(columns, lines, totals, terminal(width)),
        ])
          for (const line of stripVTControlCharacters(printed).split("\n"))
            assert.ok(cellsOf(line) <= width, `${cellsOf(line)} of ${width}: ${line}`);
      }),
    );
  });

  it("keeps every figure in a terminal of any width", () => {
    const figures = fc.array(fc.integer({ min: 0, max: 10 ** 9 }).map(String), {
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(figures, fc.integer({ min: 20, max: 100 }), (row, width) => {
        const columns = row.map((_, index) => ({ title: `c${index}`, isFigure: true }));
        const printed = linesIn(width, columns, [row]).join("\n");
        for (const each of row) assert.match(printed, new RegExp(`\\b${each}\\b`, "u"));
      }),
    );
  });
});
