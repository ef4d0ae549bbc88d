import assert from "node:assert/strict";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { applyPatch } from "../../../../src/engine/bench/execute/apply-patch.ts";
import { filesBelow } from "../../../../src/engine/bench/golden/read.ts";
import { anyText, scratchFolder, writeFiles } from "../support/disk-suite.ts";

const change = (name: string, from = "one", to = "two") =>
  `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const creation = (name: string) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+new\n`;

describe("a patch", { concurrency: true }, () => {
  it("changes, adds and removes files", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" });
    const patch = `${change("a.txt")}${creation("deep/new.txt")}--- a/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n`;
    const applied = await applyPatch(folder, patch);
    assert.deepEqual(applied.ok && applied.value, ["a.txt", "deep/new.txt", "c.txt"]);
    assert.deepEqual(await filesBelow(folder), ["a.txt", "b.txt", "deep/new.txt"]);
    assert.equal(await readFile(path.join(folder, "a.txt"), "utf8"), "two\n");
  });

  it("is applied whichever way the lines end of it", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "a.txt": "one\n" });
    assert.ok((await applyPatch(folder, change("a.txt").replaceAll("\n", "\r\n"))).ok);
    assert.equal(await readFile(path.join(folder, "a.txt"), "utf8"), "two\n");
  });

  it("is applied wholly or not at all", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "a.txt": "one\n", "b.txt": "other\n" });
    const applied = await applyPatch(folder, change("a.txt") + change("b.txt"));
    assert.match(applied.ok ? "" : `${applied.reason} ${applied.detail.text}`, /^does_not_apply b\.txt/u);
    assert.equal(await readFile(path.join(folder, "a.txt"), "utf8"), "one\n");
    const twice = await applyPatch(folder, change("a.txt") + change("a.txt", "one", "three"));
    assert.match(twice.ok ? "" : twice.detail.text, /a\.txt twice/u);
  });

  it("does not overwrite existing files, nor change missing ones", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "a.txt": "one\n" });
    for (const patch of [creation("a.txt"), change("none.txt"), creation("a.txt/b.txt"), change("deep")]) {
      await writeFiles(folder, { "deep/b.txt": "one\n" });
      const applied = await applyPatch(folder, patch);
      assert.equal(applied.ok ? "" : applied.reason, "does_not_apply");
      assert.equal(await readFile(path.join(folder, "a.txt"), "utf8"), "one\n");
    }
  });

  const ways = [
    "../a.txt",
    "deep/../../a.txt",
    "/etc/a.txt",
    "C:/a.txt",
    "..\\a.txt",
    ".git/hooks/pre-commit",
    "node_modules/a/index.js",
    "deep/NODE_MODULES/a.js",
    ".purser-check/backend/01.mjs",
    "a//b.txt",
    "./a.txt",
  ];
  for (const way of ways)
    it(`does not lead to ${JSON.stringify(way)}`, async (t) => {
      const root = await scratchFolder(t);
      const folder = path.join(root, "copy");
      await writeFiles(root, { "a.txt": "one\n", "copy/b.txt": "one\n" });
      for (const patch of [creation(way), change(way), `${change("b.txt")}${creation(way)}`]) {
        const applied = await applyPatch(folder, patch);
        assert.ok(!applied.ok, patch);
      }
      assert.deepEqual(await filesBelow(root), ["a.txt", "copy/b.txt"]);
      assert.equal(await readFile(path.join(folder, "b.txt"), "utf8"), "one\n");
    });

  it("follows no link out of the folder", async (t) => {
    const root = await scratchFolder(t);
    const folder = path.join(root, "copy");
    await writeFiles(root, { "outside/a.txt": "one\n", "copy/b.txt": "one\n" });
    await symlink(path.join(root, "outside"), path.join(folder, "link"), "junction");
    for (const patch of [creation("link/new.txt"), change("link/a.txt"), creation("link")]) {
      const applied = await applyPatch(folder, patch);
      assert.equal(applied.ok ? "" : applied.reason, "outside");
    }
    assert.deepEqual(await filesBelow(path.join(root, "outside")), ["a.txt"]);
  });

  it("rejects any other text", async (t) => {
    const folder = await scratchFolder(t);
    const line = fc.oneof(
      anyText(20),
      fc.constantFrom(
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1 +1 @@",
        "@@ -1,9 +1 @@",
        "-one",
        "+two",
        "diff --git a/a b/b",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        await writeFiles(folder, { "a.txt": "one\n" });
        await applyPatch(folder, lines.join("\n"));
        assert.ok((await filesBelow(folder)).every((file) => !file.includes("..")));
      }),
      { numRuns: 100 },
    );
  });

  it("brings any text to any other", async (t) => {
    const folder = await scratchFolder(t);
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 })
      .map((lines) => `${lines.join("\n")}\n`);
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after);
        await writeFiles(folder, { "a.txt": before });
        const applied = await applyPatch(folder, createTwoFilesPatch("a/a.txt", "b/a.txt", before, after));
        assert.ok(applied.ok);
        assert.equal(await readFile(path.join(folder, "a.txt"), "utf8"), after);
      }),
      { numRuns: 100 },
    );
  });
});
