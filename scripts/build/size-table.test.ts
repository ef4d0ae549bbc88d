import assert from "node:assert/strict";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { describeSize, sizeTable } from "./size-table.ts";

const output = (bytes: number, ...imports: string[]): Metafile["outputs"][string] => ({
  bytes,
  inputs: {},
  exports: [],
  imports: imports.map((name) => ({ path: name, kind: "import-statement", external: true })),
});

const outputs = {
  "dist/one.cjs": output(10, "./shared-a.cjs", "./part.cjs", "node:fs"),
  "dist/one.cjs.map": output(9999),
  "dist/part.cjs": output(1000, "./shared-b.cjs"),
  "dist/shared-a.cjs": output(200, "./shared-b.cjs"),
  "dist/shared-b.cjs": output(30),
};

test("weighs a file with all that is loaded before it runs, and no part that is loaded later", () => {
  const rows = sizeTable(outputs, ["shared-"]);
  assert.deepEqual(
    rows.map(({ name, own, whole }) => [name, own, whole]),
    [
      ["part", 1000, 1030],
      ["one", 10, 240],
      ["shared-a", 200, 230],
      ["shared-b", 30, 30],
    ],
  );
  assert.deepEqual(rows.at(-1)?.users, ["one", "part"]);
});

test("prints one line", () => {
  const lines = sizeTable(outputs, ["shared-"]).map((row) => describeSize(row));
  assert.equal(lines[1], "one: 10 bytes, 240 with what it loads");
  assert.equal(lines[2], "shared-a: 200 bytes, 230 with what it loads, for one");
  const crowd = { name: "shared-c", own: 5, whole: 5, isShared: true, users: ["a", "b", "c", "d", "e", "f"] };
  assert.equal(describeSize(crowd), "shared-c: 5 bytes, for 6 files");
});
