import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { projectFolder } from "../../../src/engine/budgets/project-folder.ts";
import { scratchFolder } from "../support/scratch.ts";

describe("the project of a folder", () => {
  it("is one, by whatever links it is reached, also where its last folders are gone", (t) => {
    const folder = scratchFolder(t);
    const project = path.join(folder, "argo");
    mkdirSync(path.join(project, ".git"), { recursive: true });
    mkdirSync(path.join(project, "stern"));
    const link = path.join(folder, "link");
    symlinkSync(project, link, "junction");
    const inside = path.join(folder, "inside");
    symlinkSync(path.join(project, "stern"), inside, "junction");
    for (const each of [project, link, path.join(link, "stern"), inside, path.join(link, "gone", "too")])
      assert.equal(projectFolder(each), project, each);
  });

  it("of the same name elsewhere is another", (t) => {
    const folder = scratchFolder(t);
    const [one, other] = ["a", "b"].map((each) => path.join(folder, each, "argo"));
    assert.ok(one !== undefined && other !== undefined);
    for (const each of [one, other]) mkdirSync(path.join(each, ".git"), { recursive: true });
    assert.deepEqual([projectFolder(one), projectFolder(other)], [one, other]);
  });

  it("is the main working tree's, where a link leads to another one", (t) => {
    const folder = scratchFolder(t);
    const [project, tree] = [path.join(folder, "argo"), path.join(folder, "fix")];
    mkdirSync(path.join(project, ".git", "worktrees", "fix"), { recursive: true });
    mkdirSync(tree);
    writeFileSync(path.join(tree, ".git"), `gitdir: ${path.join(project, ".git", "worktrees", "fix")}\n`);
    const link = path.join(folder, "link");
    symlinkSync(tree, link, "junction");
    assert.equal(projectFolder(link), project);
  });
});
