import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { projectFolder } from "../../../../src/engine/base/disk/project-folder.ts";
import { KnownProjects } from "../../../../src/engine/base/disk/known-projects.ts";
import { scratchFolder } from "../../support/scratch.ts";

describe("the project of a folder", () => {
  it("is the same through any links, even if its last folders are gone", (t) => {
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

  it("is a bare repository's, a submodule's and a nested repository's own", (t) => {
    const folder = scratchFolder(t);
    const put = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    };
    const at = (...names: string[]) => path.join(folder, ...names);
    for (const each of ["argo.git/worktrees/a", "boat/.bare/worktrees/b", "ship/.git", "ship/inner/.git"])
      mkdirSync(at(each), { recursive: true });
    put("a/.git", `gitdir: ${at("argo.git", "worktrees", "a")}\n`);
    put("boat/.git", "gitdir: ./.bare\n");
    put("boat/b/.git", `gitdir: ${at("boat", ".bare", "worktrees", "b")}\n`);
    put("ship/mast/.git", "gitdir: ../.git/modules/mast\n");
    put("ship/.git/modules/mast/config", "[core]\n\tworktree = ../../../mast\n");
    mkdirSync(at("ship/.git/modules/mast/worktrees/c"), { recursive: true });
    put("c/.git", `gitdir: ${at("ship/.git/modules/mast/worktrees/c")}\n`);
    const table: readonly (readonly [string, string])[] = [
      ["a", "argo.git"],
      ["boat/b", "boat"],
      ["boat", "boat"],
      ["ship/mast", "ship/mast"],
      ["c", "ship/mast"],
      ["ship/inner/deep", "ship/inner"],
      ["ship/.claude/worktrees/gone", "ship"],
    ];
    for (const [from, project] of table) assert.equal(projectFolder(at(from)), at(project), from);
  });

  it("is itself where nothing can be found: another system's path, a loop of links, an invalid or very long path", (t) => {
    const folder = scratchFolder(t);
    symlinkSync(path.join(folder, "loop"), path.join(folder, "loop"), "junction");
    const long = `${folder}${`${path.sep}a`.repeat(2000)}`;
    for (const each of [path.join(folder, "loop"), path.join(folder, "a\0b"), long, "", "relative/path"])
      assert.equal(projectFolder(each), each);
  });
});

describe("known projects", () => {
  it("still know a removed worktree, in this process and the next, and ask the disk about what is there", (t) => {
    const folder = scratchFolder(t);
    const [project, tree, file] = [
      path.join(folder, "argo"),
      path.join(folder, "fix"),
      path.join(folder, "h", "p.json"),
    ];
    mkdirSync(path.join(project, ".git", "worktrees", "fix"), { recursive: true });
    mkdirSync(tree);
    writeFileSync(path.join(tree, ".git"), `gitdir: ${path.join(project, ".git", "worktrees", "fix")}\n`);
    let now = 0;
    const known = new KnownProjects(file, () => now);
    known.remember([tree, path.join(project, "stern"), "C:\\argo"]);
    rmSync(tree, { recursive: true });
    now = 60_000;
    assert.equal(known.of(tree), project);
    assert.equal(new KnownProjects(file, () => 0).of(tree), project);
    assert.equal(new KnownProjects(path.join(folder, "none"), () => 0).of(tree), tree);
    mkdirSync(path.join(tree, ".git"), { recursive: true });
    assert.equal(new KnownProjects(file, () => 0).of(tree), tree, "another repository is there now");
  });

  it("do without a file that is damaged, or cannot be written", (t) => {
    const folder = scratchFolder(t);
    const file = path.join(folder, "p.json");
    const gone = path.join(folder, "gone");
    const texts = [
      "",
      "{",
      "null",
      '{"version":1}',
      '{"version":1,"folders":[]}',
      JSON.stringify({ version: 2, folders: { [gone]: folder } }),
      JSON.stringify({ version: 1, folders: { [gone]: folder, a: 1 } }),
    ];
    for (const text of texts) {
      writeFileSync(file, text);
      assert.equal(new KnownProjects(file, () => 0).of(gone), gone, text);
    }
    writeFileSync(file, JSON.stringify({ version: 1, folders: { [gone]: folder } }));
    assert.equal(new KnownProjects(file, () => 0).of(gone), folder);
    const inside = path.join(folder, "argo", "stern");
    mkdirSync(path.join(folder, "argo", ".git"), { recursive: true });
    mkdirSync(inside);
    const known = new KnownProjects(path.join(file, "below-a-file"), () => 0);
    known.remember([inside]);
    assert.equal(known.of(inside), path.join(folder, "argo"));
  });
});
