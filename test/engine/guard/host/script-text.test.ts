import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { scriptTextReader } from "../../../../src/engine/guard/host/script-text.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("a script is read as far as a call can wait for it, and nothing but regular text files", (t) => {
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

test("a pipe, a device and a link to one are not waited for", { skip: process.platform === "win32" }, (t) => {
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
