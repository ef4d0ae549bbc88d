import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { scriptTextReader, projectTextReader } from "../../../../src/engine/guard/host/script-text.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("reads a script as far as a call can wait, and only regular text files", (t) => {
  const folder = scratchFolder(t);
  const place = (name: string) => path.join(folder, name);
  writeFileSync(place("x.sh"), "rm -rf ~\n");
  writeFileSync(place("long.sh"), "a".repeat(3_000_000));
  writeFileSync(place("program"), "\u007FELF\0\0");
  mkdirSync(place("node_modules"));
  writeFileSync(place("node_modules/x.sh"), "rm -rf ~\n");
  mkdirSync(place("folder"));
  let elapsed = 0;
  const read = scriptTextReader(() => elapsed);
  assert.equal(read(place("x.sh")), "rm -rf ~\n");
  assert.equal(read(place("long.sh"))?.length, 60_000);
  for (const name of ["program", "folder", "missing", "x.sh/x", "node_modules/x.sh"])
    assert.equal(read(place(name)), null, name);
  elapsed = 101;
  assert.equal(read(place("x.sh")), null);
});

test("does not wait for a pipe, a device or a link to one", { skip: process.platform === "win32" }, (t) => {
  const folder = scratchFolder(t);
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  symlinkSync("/dev/zero", path.join(folder, "zero"));
  symlinkSync(pipe, path.join(folder, "to-pipe"));
  const read = scriptTextReader(() => 0);
  for (const file of [
    pipe,
    path.join(folder, "zero"),
    path.join(folder, "to-pipe"),
    "/dev/zero",
    "/dev/stdin",
  ])
    assert.equal(read(file), null, file);
});

test("reads the beginning of a file only below the project's root", (t) => {
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
