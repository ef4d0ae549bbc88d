import assert from "node:assert/strict";
import path from "node:path";
import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeFolder } from "../../../../src/engine/base/disk/make-folder.ts";
import { ensurePrivateFolder } from "../../../../src/engine/base/private-files.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("A folder is made with its missing parents, and stays where it is there", (t) => {
  const folder = path.join(scratchFolder(t), "a", "b", "c");
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o755);
  if (process.platform !== "win32") assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test("A folder below a file, or below a link to nothing, is refused", (t) => {
  const scratch = scratchFolder(t);
  writeFileSync(path.join(scratch, "file"), "");
  assert.throws(() => makeFolder(path.join(scratch, "file", "a", "b"), 0o700), /ENOTDIR|ENOENT|EEXIST/u);
  if (process.platform === "win32") return;
  symlinkSync(path.join(scratch, "nowhere"), path.join(scratch, "link"));
  assert.throws(() => makeFolder(path.join(scratch, "link", "a"), 0o700), /ENOENT/u);
  assert.ok(!existsSync(path.join(scratch, "nowhere")));
});

test(
  "refuses at once a folder below one in which none can be made",
  { skip: process.platform !== "linux", timeout: 10_000 },
  () => {
    for (const place of ["/proc/purser", "/proc/purser/a/b", "/proc/self/purser/a"]) {
      const made = ensurePrivateFolder(place);
      assert.deepEqual([made.ok, made.ok ? "" : made.reason], [false, "unwritable"]);
    }
  },
);
