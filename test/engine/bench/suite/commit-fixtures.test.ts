import assert from "node:assert/strict";
import { readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { execa } from "execa";
import { succeed } from "../../../../src/engine/base/result.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { auditSuite } from "../../../../src/engine/bench/golden/audit.ts";
import { loadSuite, workspaceSuite } from "../../../../src/engine/bench/suite/load-suite.ts";
import { fixtureHashOf, fixturesOf, suiteHash } from "../../../../src/engine/bench/suite/suite.ts";
import { agentText, scratchFolder, writeFiles } from "../support/disk-suite.ts";

const taskAt = (name: string, base: string, word: string) =>
  `---\nid: ${name}\nagent: backend\ntitle: A word\nprompt: Write it\ncheck: grep -q ${word} word.txt\nbase: ${base}\n---\n`;

const is = (word: string, to: string) => `--- a/word.txt\n+++ b/word.txt\n@@ -1 +1 @@\n-${word}\n+${to}\n`;

/** A project with three commits, and a suite whose two tasks begin at the first two. */
async function project(t: TestContext) {
  const root = await scratchFolder(t);
  const workspace = path.join(root, "project");
  const git = async (...args: string[]) =>
    (await execa("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: workspace })).stdout;
  const commits: string[] = [];
  await writeFiles(workspace, { "run.sh": "#!/bin/sh\n" });
  await execa("chmod", ["+x", path.join(workspace, "run.sh")]);
  await symlink("/etc", path.join(workspace, "elsewhere"));
  await git("init", "-q");
  for (const word of ["one", "two", "three"]) {
    await writeFiles(workspace, { "word.txt": `${word}\n` });
    await git("add", "-A");
    await git("commit", "-q", "-m", word);
    commits.push(await git("rev-parse", "HEAD"));
  }
  await writeFiles(path.join(workspace, ".purser/golden"), {
    "suite.json": '{ "schema": 1 }\n',
    "agents/backend.md": agentText,
    "tasks/backend/01-a.md": taskAt("a", commits[0] ?? "", "two"),
    "tasks/backend/02-b.md": taskAt("b", commits[1] ?? "", "three"),
  });
  const ports = {
    cache: path.join(root, "cache"),
    env: process.env,
    clock: systemClock,
    signal: new AbortController().signal,
  };
  const load = async () => {
    const paths = await workspaceSuite(workspace, true);
    assert.ok(paths.ok);
    return await loadSuite(paths.value, ports);
  };
  return { root, workspace, git, commits, ports, load };
}

describe("a suite whose tasks begin at their own commits", () => {
  it("has a fixture for each, without one of its own", async (t) => {
    const { load, git, workspace, ports } = await project(t);
    const suite = await load();
    assert.ok(suite.ok, suite.ok ? "" : suite.detail.text);
    assert.equal(suite.value.fixture, null);
    const fixtures = fixturesOf(suite.value, "backend");
    const words = fixtures.map(({ folder }) => readFile(path.join(folder, "word.txt"), "utf8"));
    assert.deepEqual(await Promise.all(words), ["one\n", "two\n"]);
    assert.ok(fixtures.every(({ manifest }) => !manifest.has("elsewhere") && manifest.has("run.sh")));
    assert.equal(await readFile(path.join(workspace, "word.txt"), "utf8"), "three\n");
    assert.equal(await git("status", "--porcelain"), "?? .purser/");
    assert.equal((await readdir(ports.cache)).length, 2, "no drafts are left");
    const again = await load();
    assert.deepEqual(again, suite);
    const [first, second] = fixtures;
    assert.notEqual(fixtureHashOf(suite.value, "backend"), first?.hash);
    assert.notEqual(first?.hash, second?.hash);
    assert.equal(suiteHash(suite.value, "backend").length, 64);
  });

  it("runs each check in the project of its commit", async (t) => {
    const { root, load, workspace } = await project(t);
    const tasks = path.join(workspace, ".purser/golden/tasks/backend");
    await writeFiles(tasks, { "a.patch": is("one", "two"), "b.patch": is("two", "three") });
    const suite = await load();
    assert.ok(suite.ok);
    const solved = suite.value.tasks.map((task) => ({
      ...task,
      solutionPath: path.join(tasks, `${task.id}.patch`),
    }));
    const audits = await auditSuite(suite.value, solved, {
      scratch: root,
      modules: () => Promise.resolve(succeed(null)),
      env: process.env,
      clock: systemClock,
      signal: new AbortController().signal,
      parallel: 1,
    });
    assert.deepEqual(
      audits.map(({ faults, trials }) => [faults, trials.map(({ outcome }) => outcome)]),
      [
        [[], ["failed", "passed"]],
        [[], ["failed", "passed"]],
      ],
    );
  });

  it("is refused if the repository lacks a commit", async (t) => {
    const { load, workspace } = await project(t);
    await writeFiles(path.join(workspace, ".purser/golden/tasks/backend"), {
      "02-b.md": taskAt("b", "a".repeat(40), "three"),
    });
    const suite = await load();
    assert.ok(!suite.ok);
    assert.equal(suite.reason, "bad_task");
    assert.match(suite.detail.text, /02-b\.md: The commit a{40} cannot be copied/u);
  });
});
