import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { isIgnoredByGit } from "../../../src/engine/rules/chosen-files.ts";
import { scratchFolder } from "../support/scratch.ts";

test("a file is ignored, is not, or git cannot say", async (t) => {
  const project = scratchFolder(t);
  assert.equal(await isIgnoredByGit(project, "CLAUDE.local.md"), null, "no repository");
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  assert.equal(await isIgnoredByGit(project, "CLAUDE.local.md"), false);
  writeFileSync(path.join(project, ".gitignore"), "*.local.md\n");
  assert.equal(await isIgnoredByGit(project, "CLAUDE.local.md"), true);
});
