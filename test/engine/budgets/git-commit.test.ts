import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { gitCommit } from "../../../src/engine/budgets/git-branch.ts";
import { scratchFolder } from "../support/scratch.ts";

test("the commit is told of a repository, of its packed branches, of linked worktrees, and of a detached head", (t) => {
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
