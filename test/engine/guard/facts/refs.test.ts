import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { gitIn, projectOf, repositoryOf, testTable, type Project } from "./support/project.ts";

function repository(t: Pick<TestContext, "after">): Project {
  const project = repositoryOf(t, { "src/index.ts": "1\n", "old.txt": "1\n", "main.md": "" });
  const { git, root } = project;
  git("branch", "feature/cart");
  git("branch", "develop");
  git("tag", "v1.2.0");
  git("commit", "-q", "--allow-empty", "-m", "Go on");
  git("rm", "-q", "--cached", "old.txt");
  git("reset", "-q", "--hard");
  const copy = path.join(root, ".copy");
  gitIn(root, ["clone", "-q", "--bare", root, copy]);
  gitIn(copy, ["branch", "only-remote", "main"]);
  git("remote", "add", "origin", copy);
  git("fetch", "-q", "origin");
  return project;
}

testTable("refs", repository, {
  fires: [
    ["git checkout feature/crat", "no branch, tag or commit `feature/crat`, and no such path"],
    ["git checkout feature/crat", "The nearest that it has: `feature/cart`"],
    ["git switch mian", "`main`"],
    ["git switch devlop", "`develop`"],
    ["git merge featur/cart", "`feature/cart`"],
    ["git rebase mian", "`main`"],
    ["git rebase --onto mian develop", "`main`"],
    ["git diff mian...HEAD", "`main`"],
    ["git diff main..feature/crt --stat", "`feature/cart`"],
    ["git log --oneline mian -5", "`main`"],
    ["git log v1.2.1..main", "`v1.2.0`"],
    ["git show v1.2", "`v1.2.0`"],
    ["git reset --hard origin/mian", "`origin/main`"],
    ["git cherry-pick develp~2", "`develop`"],
    ["git branch -d featurecart", "`feature/cart`"],
    ["git checkout -b new mian", "`main`"],
    ["git switch -c new devlop", "`develop`"],
    ["git push origin feature/crat", "`feature/cart`"],
    ["git worktree add ../other devel", "`develop`"],
    ["git -C src log mian", "`main`"],
    ["cd src && git diff mian", "`main`"],
    ["git merge only-remote", "`origin/only-remote`"],
  ],
  silent: [
    "git checkout main",
    "git checkout feature/cart",
    "git checkout only-remote",
    "git switch only-remote",
    "git switch -c mian",
    "git checkout -b mian",
    "git checkout -b mian && git merge mian",
    "git branch mian && git switch mian",
    "git fetch && git checkout mian",
    "git checkout v1.2.0",
    "git checkout HEAD~1",
    "git checkout main~1",
    "git checkout main~500",
    "git checkout -",
    "git checkout @{-1}",
    "git checkout -- none.ts",
    "git checkout src/index.ts",
    "git checkout old.txt",
    "git checkout main -- none.ts",
    "git checkout abcdef1",
    "git show 0123456789abcdef0123456789abcdef01234567",
    "git show HEAD:src/none.ts",
    "git show main:src/none.ts",
    "git log src/index.ts",
    "git log src/../main.md",
    "git log -- none.ts",
    "git log --author=nobody",
    "git log --author nobody",
    "git log --grep nothing main",
    "git log -S nothing",
    "git log '*.ts'",
    "git log ':(glob)none'",
    "git log --unknown-option mian",
    "git diff src main.md",
    "git diff HEAD FETCH_HEAD",
    "git log stash@{3}",
    "git switch $BRANCH",
    'git switch "feature/$NAME"',
    "git merge --abort",
    "git rebase --continue",
    "git stash pop mian",
    "git push origin HEAD:mian",
    "git push origin :mian",
    "git push origin --delete mian",
    "git push -u origin main",
    "git --git-dir=/none log mian",
    "GIT_DIR=/none git log mian",
    "git -C /none log mian",
    "ssh host git checkout mian",
    "git log main --not --remotes=mian",
    "git describe mian",
  ],
});

test("reads worktrees, submodules, empty repositories and folders without a repository", async (t) => {
  const { root, git, before } = repository(t);
  git("worktree", "add", "-q", path.join(root, "beside"), "develop");
  assert.equal(await before("git checkout feature/cart", "beside"), "");
  assert.match(await before("git checkout feature/crat", "beside"), /`feature\/cart`/u);
  git("submodule", "--quiet", "add", path.join(root, ".copy"), "inner");
  gitIn(path.join(root, "inner"), ["branch", "inner-only"]);
  assert.equal(await before("git checkout inner-only", "inner"), "");
  assert.match(await before("git merge inner-onyl", "inner"), /`inner-only`/u);
  assert.match(await before("git merge inner-only"), /no branch, tag or commit `inner-only`/u);
  const empty = projectOf(t, {});
  assert.equal(await empty.before("git checkout mian"), "");
  mkdirSync(path.join(empty.root, "new"));
  gitIn(path.join(empty.root, "new"), ["init", "-q"]);
  assert.equal(await empty.before("git checkout mian", "new"), "");
});
