import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { gitBranch, gitCommit, gitHead } from "../../../src/engine/budgets/git-branch.ts";
import { scratchFolder } from "../support/scratch.ts";

test("the commit is read from repositories, packed branches, linked worktrees and detached heads", (t) => {
  const folder = scratchFolder(t);
  const main = path.join(folder, "main");
  const git = (at: string, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-C", at, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  execFileSync("git", ["init", "-q", "-b", "main", main]);
  assert.equal(gitCommit(main), null);
  git(main, "commit", "-q", "--allow-empty", "-m", "One");
  const first = git(main, "rev-parse", "HEAD");
  assert.equal(gitCommit(main), first);
  git(main, "pack-refs", "--all");
  assert.equal(gitCommit(main), first);
  const linked = path.join(folder, "linked");
  git(main, "worktree", "add", "-q", "-b", "feature/deep", linked);
  git(linked, "commit", "-q", "--allow-empty", "-m", "Two");
  assert.equal(gitCommit(linked), git(linked, "rev-parse", "HEAD"));
  assert.equal(gitCommit(main), first);
  git(linked, "checkout", "-q", "--detach");
  assert.equal(gitCommit(linked), git(linked, "rev-parse", "HEAD"));
  assert.equal(gitCommit(folder), null);
  assert.equal(gitCommit(linked, "main"), first);
  assert.equal(gitCommit(main, "feature/deep"), git(linked, "rev-parse", "HEAD"));
  for (const none of ["gone", "../../HEAD", "a b"]) assert.equal(gitCommit(main, none), null);
});

test("the checkout is read for any branch name, for a commit alone, and not for a missing folder", (t) => {
  const folder = path.join(scratchFolder(t), "main");
  execFileSync("git", ["init", "-q", "-b", "main", folder]);
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-C", folder, ...words], {
      encoding: "utf8",
    }).trim();
  assert.deepEqual(gitHead(folder), { branch: "main", commit: null }, "before the first commit");
  git("commit", "-q", "--allow-empty", "-m", "One");
  const commit = git("rev-parse", "HEAD");
  for (const name of ['a"b', "⛵️/🚢", "עוגן", "quay\u3000", "no\u00a0break", "$(touch)"]) {
    git("checkout", "-q", "-b", name);
    assert.deepEqual([gitHead(folder)?.branch, gitBranch(folder), gitCommit(folder)], [name, name, commit]);
    assert.equal(gitCommit(folder, name), commit);
  }
  git("checkout", "-q", "--detach");
  assert.deepEqual(gitHead(folder), { branch: null, commit });
  assert.equal(gitBranch(folder), null);
  // Git keeps branches in tables where a repository is made so, and this name in their place.
  writeFileSync(path.join(folder, ".git", "HEAD"), "ref: refs/heads/.invalid\n");
  assert.deepEqual([gitHead(folder), gitBranch(folder)], [null, null]);
  const linked = path.join(folder, "linked");
  git("symbolic-ref", "HEAD", "refs/heads/main");
  git("worktree", "add", "-q", linked, "-b", "side");
  assert.equal(gitHead(linked)?.branch, "side");
  rmSync(linked, { recursive: true });
  assert.equal(gitHead(linked), null, "the repository around it is another place");
});
