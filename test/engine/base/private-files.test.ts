import assert from "node:assert/strict";
import path from "node:path";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { writeBehindLink, writePrivateFile } from "../../../src/engine/base/private-files.ts";
import { scratchFolder } from "../support/scratch.ts";

test("leaves a file changed by others unchanged, with nothing beside it", (t) => {
  const folder = scratchFolder(t);
  const file = path.join(folder, "settings.json");
  const isStill = (text: string) => () => readFileSync(file, "utf8") === text;
  assert.equal(writePrivateFile(file, "one"), true);
  assert.equal(writePrivateFile(file, "two", isStill("one")), true);
  assert.equal(writePrivateFile(file, "three", isStill("one")), false);
  assert.equal(readFileSync(file, "utf8"), "two");
  assert.deepEqual(readdirSync(folder), ["settings.json"]);
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("A link stays one, and what it leads to is replaced", { skip: process.platform === "win32" }, (t) => {
  const folder = scratchFolder(t);
  const [link, real] = [path.join(folder, "settings.json"), path.join(folder, "dotfiles", "settings.json")];
  mkdirSync(path.dirname(real));
  writeFileSync(real, "one");
  symlinkSync(real, link);
  assert.equal(writeBehindLink(link, "two"), true);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(real, "utf8"), "two");
  assert.throws(() => writeBehindLink(path.join(folder, "none", "a"), "x"), /ENOENT/u);
  assert.ok(!existsSync(path.join(folder, "none")));
});
