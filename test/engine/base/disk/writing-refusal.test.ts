import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { writingRefusal } from "../../../../src/engine/cli/ledger/ledger-files.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("a folder is written to for a moment, and nothing stays", (t) => {
  const folder = scratchFolder(t);
  assert.equal(writingRefusal(folder), null);
  assert.deepEqual(readdirSync(folder), []);
});

test("the system's code names what refuses", (t) => {
  const file = path.join(scratchFolder(t), "file");
  assert.equal(writingRefusal(file), "ENOENT");
  writeFileSync(file, "");
  assert.equal(writingRefusal(file), "ENOTDIR");
});
