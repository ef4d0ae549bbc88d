import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { KnownProjects, sharedProject } from "../../../../src/engine/base/disk/known-projects.ts";
import { normalRemote, repositoryOf } from "../../../../src/engine/base/disk/repository.ts";
import { scratchFolder } from "../../support/scratch.ts";

function git(folder: string, ...words: string[]): string {
  const identity = [
    "-c",
    "user.name=n",
    "-c",
    "user.email=n@example.org",
    "-c",
    "protocol.file.allow=always",
  ];
  return execFileSync("git", ["-C", folder, ...identity, ...words], { encoding: "utf8", stdio: "pipe" });
}

function repository(folder: string, remote?: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(path.join(folder, "a.txt"), folder);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "first");
  if (remote !== undefined) git(folder, "remote", "add", "origin", remote);
  return folder;
}

function projects(t: TestContext): { root: string; known: () => KnownProjects } {
  const root = scratchFolder(t);
  return { root, known: () => new KnownProjects(path.join(root, "projects.json"), () => 0) };
}

describe("a repository", () => {
  it("is the same however its remote's address is written, and holds no credentials", () => {
    const ways = [
      "https://github.com/Team/api",
      "https://someone:secret@github.com/team/api.git",
      "https://github.com:443/team/api.git/",
      "ssh://git@github.com/team/api.git",
      "ssh://git@github.com:22/team/api",
      "git@github.com:team/api.git",
      "git://GitHub.com/team/api",
    ];
    for (const way of ways) assert.equal(normalRemote(way), "github.com/team/api", way);
    assert.equal(
      normalRemote("git@example.org:Team/api.git"),
      "example.org/Team/api",
      "another host may tell cases apart",
    );
    for (const local of ["/srv/api.git", "file:///srv/api.git", "../api", "C:/work/api", "C:\\work\\api"])
      assert.equal(normalRemote(local), null, local);
  });

  it("is known by its remote, else by its first commit, also through a local clone", (t) => {
    const { root } = projects(t);
    const remote = "https://someone:secret@example.org/team/api.git";
    const one = repository(path.join(root, "one"), remote);
    const other = repository(path.join(root, "two", "other-name"), "git@example.org:team/api");
    assert.deepEqual(repositoryOf(one), repositoryOf(other));
    assert.equal(repositoryOf(one)?.name, "api");
    assert.ok(!JSON.stringify(repositoryOf(one)).includes("example"));
    const alone = repository(path.join(root, "alone"));
    git(root, "clone", "-q", alone, path.join(root, "clone"));
    git(path.join(root, "clone"), "commit", "-q", "--allow-empty", "-m", "second");
    const copy = path.join(root, "copy");
    git(root, "clone", "-q", alone, copy);
    git(copy, "remote", "remove", "origin");
    for (const each of [path.join(root, "clone"), copy])
      assert.equal(repositoryOf(each)?.key, repositoryOf(alone)?.key, each);
    assert.notEqual(repositoryOf(repository(path.join(root, "else")))?.key, repositoryOf(alone)?.key);
    assert.equal(repositoryOf(root), null);
    mkdirSync(path.join(root, "empty", ".git"), { recursive: true });
    assert.equal(repositoryOf(path.join(root, "empty")), null, "nothing identifies an empty one");
  });

  it("is one project: its root, subfolders, links, worktrees, copies, and other machines' names for it", (t) => {
    const { root, known } = projects(t);
    const remote = "git@example.org:team/api.git";
    const [first, second] = ["first", "second"].map((name) => repository(path.join(root, name), remote));
    assert.ok(first !== undefined && second !== undefined);
    mkdirSync(path.join(second, "inside"));
    symlinkSync(second, path.join(root, "link"), "junction");
    git(second, "worktree", "add", "-q", path.join(root, "tree"), "-b", "fix");
    const one = known();
    const name = one.sharedNameOf(first, "machine-1");
    assert.equal(sharedProject(name)?.name, "api");
    const folders = [
      first,
      second,
      path.join(second, "inside"),
      path.join(root, "link"),
      path.join(root, "tree"),
      name,
    ];
    for (const folder of folders) assert.equal(one.of(folder), first, folder);
    assert.deepEqual(one.all(second), [first, second]);
    one.remember([]);
    assert.deepEqual(known().all(name), [first, second], "another process knows them too");
    rmSync(first, { recursive: true });
    assert.equal(known().of(name), second, "a copy that is gone does not stand for the others");
  });

  it("that is only on other machines keeps one name, and a folder without one belongs to its machine", (t) => {
    const { root, known } = projects(t);
    const one = known();
    assert.equal(one.of("api#0123456789abcdef"), "api#0123456789abcdef");
    assert.equal(one.of("laptop:/home/me/api#0123456789abcdef"), "api#0123456789abcdef");
    assert.deepEqual(one.all("api#0123456789abcdef"), []);
    const notes = path.join(root, "notes");
    mkdirSync(notes);
    assert.notEqual(one.sharedNameOf(notes, "machine-1"), one.sharedNameOf(notes, "machine-2"));
    assert.match(one.sharedNameOf(notes, "machine-1"), /^notes#/u);
  });
});
