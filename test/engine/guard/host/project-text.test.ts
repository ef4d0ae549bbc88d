import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { projectTextReader } from "../../../../src/engine/guard/host/script-text.ts";

test("the beginning of a file is read below the project's root only", (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-text-"));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const root = path.join(folder, "shop");
  mkdirSync(path.join(root, "..db"), { recursive: true });
  writeFileSync(path.join(root, "..db", "a.sql"), "select 1");
  writeFileSync(path.join(root, "long.sql"), "x".repeat(30_000));
  writeFileSync(path.join(folder, "b.sql"), "select 2");
  const read = projectTextReader(root);
  assert.ok(read);
  assert.equal(read(path.join(root, "..db", "a.sql")), "select 1");
  assert.equal(read(path.join(root, "long.sql"))?.length, 20_000);
  for (const file of [path.join(folder, "b.sql"), path.join(root, "none.sql"), root, path.join(root, "..db")])
    assert.equal(read(file), null, file);
  assert.equal(projectTextReader(null), undefined);
});
