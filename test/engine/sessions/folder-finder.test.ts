import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { FolderFinder } from "../../../src/engine/sessions/folder-finder.ts";
import { Scratch } from "./support/scratch.ts";

describe("the folder a path belongs to", () => {
  it("is the deepest of the host's, whatever their order", () => {
    const finder = new FolderFinder(["/work", "/work/deep", "/"], { platform: "linux" });
    const found = ["/work/a", "/work/deep/a", "/work/deep", "/works"].map((file) => finder.find(file));
    assert.deepEqual(found, ["/work", "/work/deep", "/work/deep", "/"]);
  });

  it("is null for a path elsewhere, for no path, and in a host without folders", () => {
    const finder = new FolderFinder(["/work"], { platform: "linux" });
    assert.deepEqual(
      ["/home", "work", null].map((file) => finder.find(file)),
      [null, null, null],
    );
    assert.equal(new FolderFinder([], { platform: "linux" }).find("/work"), null);
  });

  it("is searched once per path", (test) => {
    const scratch = new Scratch(test);
    const [repository, worktree] = [scratch.path("boats"), scratch.path("boats-fix")];
    mkdirSync(path.join(repository, ".git", "worktrees", "fix"), { recursive: true });
    scratch.write("boats-fix/.git", `gitdir: ${path.join(repository, ".git", "worktrees", "fix")}\n`);
    const finder = new FolderFinder([repository], { platform: process.platform });
    assert.equal(finder.find(worktree), repository);
    rmSync(worktree, { recursive: true });
    assert.equal(finder.find(worktree), repository, "known from before");
  });
});
