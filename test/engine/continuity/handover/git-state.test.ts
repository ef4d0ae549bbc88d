import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it, type TestContext } from "node:test";
import {
  readGitState,
  type GitPorts,
  changesSince,
} from "../../../../src/engine/continuity/handover/git-state.ts";
import { InstalledPrograms } from "../../../../src/engine/guard/host/installed-programs.ts";
import { assert } from "../../support/assert-texts.ts";
import { scratchFolder } from "../../support/scratch.ts";

const programs = new InstalledPrograms(process.env, 10_000);
const ports: GitPorts = {
  git: (folder, args, settings) => programs.git(folder, args, settings),
  stampOf: (folder, file) => {
    const full = path.join(folder, file);
    return Promise.resolve(existsSync(full) ? `${lstatSync(full).size} ${lstatSync(full).mtimeMs}` : null);
  },
};

function repository(t: TestContext) {
  const folder = path.join(scratchFolder(t), "argo");
  mkdirSync(folder);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=m", "-c", "user.email=m@x", ...args], {
      encoding: "utf8",
    });
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  git("init", "-q", "-b", "main");
  return { folder, git, write };
}

it("A folder without a repository has no state; one without a commit has a branch", async (t) => {
  const folder = scratchFolder(t);
  assert.equal(await readGitState(folder, ports), null);
  const made = repository(t);
  made.write("a.txt", "a");
  made.git("add", ".");
  const state = await readGitState(made.folder, ports);
  assert.partialDeepStrictEqual(state, {
    branch: "main",
    commit: null,
    changes: [{ path: "a.txt", how: "added" }],
  });
});

it("Branch, commit and every kind of uncommitted change are reported for any file name", async (t) => {
  const { folder, git, write } = repository(t);
  for (const file of ["kept.txt", "gone.txt", "changed.txt", 'ä "b"\n.txt', ".gitignore"])
    write(file, file === ".gitignore" ? "ignored\n" : "one");
  git("add", ".");
  git("commit", "-q", "-m", "First\n\nmore");
  git("checkout", "-q", "-b", "sail/new");
  const clean = await readGitState(folder, ports);
  assert.partialDeepStrictEqual(clean, { branch: "sail/new", subject: "First", changes: [] });
  rmSync(path.join(folder, "gone.txt"));
  write("changed.txt", "one two");
  write('ä "b"\n.txt', "three");
  write("ignored", "x");
  write("new dir/new.txt", "x");
  write("staged.txt", "x");
  git("add", "staged.txt");
  const state = await readGitState(folder, ports);
  assert.deepEqual(state?.changes, [
    { path: "changed.txt", how: "changed" },
    { path: "gone.txt", how: "deleted" },
    { path: "new dir/new.txt", how: "untracked" },
    { path: "staged.txt", how: "added" },
    { path: 'ä "b"\n.txt', how: "changed" },
  ]);
  git("tag", "sail/new");
  assert.equal((await readGitState(folder, ports))?.branch, "sail/new", "a tag has the same name");
  git("checkout", "-q", "--detach");
  assert.equal((await readGitState(folder, ports))?.branch, null);
  for (const name of [
    'a"b',
    "⛵️/🚢",
    "עוגן",
    "quay\u3000",
    "$(touch)",
    "`x`",
    "feature/" + "x".repeat(200),
  ]) {
    git("checkout", "-q", "-b", name);
    assert.equal((await readGitState(folder, ports))?.branch, name);
  }
});

it("A document's git state is compared with the current one", async (t) => {
  const { folder, git, write } = repository(t);
  write("a.txt", "one");
  git("add", ".");
  git("commit", "-q", "-m", "First");
  write("a.txt", "one two");
  const first = await readGitState(folder, ports);
  assert.ok(first !== null);
  const stamp = { ...first };
  assert.deepEqual(changesSince(stamp, await readGitState(folder, ports)), []);
  write("a.txt", "one two three");
  assert.deepEqual(changesSince(stamp, await readGitState(folder, ports)), ["uncommitted files changed"]);
  git("commit", "-q", "-am", "Second");
  git("checkout", "-q", "-b", "other");
  const [branch, commit] = changesSince(stamp, await readGitState(folder, ports));
  assert.equal(branch, "the branch is other, it was main");
  assert.match(commit?.text ?? "", /^the last commit is [\da-f]{10}, it was [\da-f]{10}$/u);
  assert.deepEqual(changesSince(stamp, null), []);
});

it("Git starts no program that a repository's settings name", async (t) => {
  const { folder, git, write } = repository(t);
  write("a.txt", "one");
  write("b.md", "one");
  write(".gitattributes", "*.txt filter=trap diff=trap\n*.md filter=a=b.c\n");
  const moment = new Date("2026-03-01T12:00:00Z");
  const atOnce = (...files: string[]) => {
    for (const file of files) utimesSync(path.join(folder, file), moment, moment);
  };
  // The time of a change of the inode cannot be set.
  git("config", "core.trustctime", "false");
  atOnce("a.txt", "b.md");
  git("add", ".");
  git("commit", "-q", "-m", "First");
  const trap = path.join(folder, "..", "trap.sh");
  const sprung = path.join(folder, "..", "sprung");
  writeFileSync(trap, `#!/bin/sh\necho sprung >> ${sprung}\ncat\n`);
  chmodSync(trap, 0o755);
  for (const name of [
    "filter.trap.clean",
    "filter.trap.process",
    "filter.a=b.c.clean",
    "diff.trap.textconv",
    "core.fsmonitor",
    "gpg.program",
    "core.pager",
  ])
    git("config", name, trap);
  git("config", "filter.trap.required", "true");
  git("config", "log.showSignature", "true");
  write("a.txt", "two");
  write("b.md", "two");
  // As if all files were written in the same moment as the index, so that git compares contents.
  atOnce("a.txt", "b.md", ".git/index");
  const state = await readGitState(folder, ports);
  assert.deepEqual(state?.changes, [
    { path: "a.txt", how: "changed" },
    { path: "b.md", how: "changed" },
  ]);
  assert.equal(existsSync(sprung), false);
});
