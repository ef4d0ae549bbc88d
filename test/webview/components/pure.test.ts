import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { relativePath, shortPaths } from "../../../src/webview/components/outside.ts";
import {
  labelledColumns,
  niceTicks,
  roomForNames,
  largestSeries,
  sum,
} from "../../../src/webview/components/charts/series.ts";
import {
  givenOrder,
  rowFault,
  rowsWith,
  sortedRows,
} from "../../../src/webview/components/table/table-rows.ts";

test("an axis begins at 0 and has round steps", () => {
  assert.deepEqual(niceTicks(0, 4), [0]);
  assert.deepEqual(niceTicks(Number.NaN, 4), [0]);
  assert.deepEqual(niceTicks(100, 4), [0, 50, 100]);
  assert.deepEqual(niceTicks(3_400_000, 4), [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]);
  assert.deepEqual(niceTicks(7, 4), [0, 2, 4, 6, 8]);
});

test("an axis reaches what it shows, with few steps", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (max) => {
      const ticks = niceTicks(max, 4);
      assert.ok((ticks.at(-1) ?? 0) >= max * (1 - 1e-6));
      assert.ok(ticks.length >= 2 && ticks.length <= 6, String(ticks));
    }),
  );
});

test("names only as many columns as fit", () => {
  assert.deepEqual(labelledColumns(0, 5), []);
  assert.deepEqual(labelledColumns(5, 10), [0, 1, 2, 3, 4]);
  assert.deepEqual(labelledColumns(30, 4), [0, 8, 16, 24]);
  assert.deepEqual(labelledColumns(3, 0), [0]);
});

test("the five largest series are separate, the others together, and nothing is lost", () => {
  const values = fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(values, { maxLength: 12 }), (all) => {
      const named = all.map((one, index) => ({ name: String(index), values: one }));
      const { series, values: kept } = largestSeries(named, (count) => `${count} others`);
      assert.ok(series.length <= 6);
      assert.equal(series.length, kept.length);
      assert.equal(sum(kept.map(sum)), sum(all.map(sum)));
    }),
  );
});

test("a path shows the fewest folders that distinguish it", () => {
  const names = shortPaths(["/a/work/harbor", "/b/harbor", "/a/notes", "C:\\work\\tides", "/"]);
  assert.deepEqual(Object.fromEntries(names), {
    "/a/work/harbor": "work/harbor",
    "/b/harbor": "b/harbor",
    "/a/notes": "notes",
    "C:\\work\\tides": "tides",
    "/": "/",
  });
});

test("every path has a unique name", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(fc.uniqueArray(path.map((parts) => `/${parts.join("/")}`)), (paths) => {
      const names = shortPaths(paths);
      assert.equal(new Set(names.values()).size, paths.length);
    }),
  );
});

test("a file below its session's folder is named from there, and only then", () => {
  assert.equal(relativePath("/a/harbor/src/tide.ts", "/a/harbor"), "src/tide.ts");
  assert.equal(relativePath("/a/harbor-2/tide.ts", "/a/harbor"), "/a/harbor-2/tide.ts");
  assert.equal(relativePath("/a/harbor", "/a/harbor"), "/a/harbor");
  assert.equal(relativePath("/b", null), "/b");
});

test("sorts rows by a column, with unknown values last in either direction", () => {
  const rows = [3, null, 1, 2].map((sort, index) => ({
    key: String(index),
    cells: [{ content: () => "", sort }],
  }));
  const keys = (direction: "ascending" | "descending") =>
    sortedRows(rows, { column: 0, direction }).map(({ key }) => key);
  assert.deepEqual(keys("ascending"), ["2", "3", "0", "1"]);
  assert.deepEqual(keys("descending"), ["0", "3", "2", "1"]);
  assert.equal(sortedRows(rows, null), rows);
});

test("keeps rows with each word in one of their texts, ignoring case", () => {
  const row = (key: string, ...texts: (string | number | null)[]) => ({
    key,
    cells: texts.map((sort) => ({ content: () => "", sort })),
  });
  const rows = [row("a", "Tide tables", "Codex", 3), row("b", "Berth map", null, 12)];
  const found = (text: string) => rowsWith(rows, text).map(({ key }) => key);
  assert.deepEqual(found(""), ["a", "b"]);
  assert.deepEqual(found("  TIDE codex "), ["a"]);
  assert.deepEqual(found("tide berth"), []);
  assert.deepEqual(found("12"), [], "figures are not searched");
});

test("names of columns have room for the longest, and wide characters for two", () => {
  assert.equal(roomForNames([]), 76);
  assert.equal(roomForNames(["Nov 30", "Dec 1"]), 76);
  assert.ok(roomForNames(["Nov 30", "Nov 11, no rules"]) > 100);
  assert.equal(roomForNames(["規則なし規則なし"]), roomForNames(["abcdefghabcdefgh"]));
});

test("the order of a table's rows is that of the heading which says so", () => {
  assert.equal(givenOrder([{}, {}]), null);
  assert.deepEqual(givenOrder([{}, { order: "descending" }]), { column: 1, direction: "descending" });
});

test("a row with a cell too many or too few is named", () => {
  const cell = { content: () => "", sort: null };
  const rows = [
    { key: "whole", cells: [cell, cell] },
    { key: "short", cells: [cell] },
  ];
  assert.equal(rowFault(["Rule", "Fired"], rows.slice(0, 1)), null);
  assert.equal(rowFault(["Rule", "Fired"], rows), "2 headings, but 1 cells in row short");
});
