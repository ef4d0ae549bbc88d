import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";
import { execa } from "execa";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { copyCommit } from "../../../../src/engine/bench/execute/copy-commit.ts";
import { loadSuite } from "../../../../src/engine/bench/suite/load-suite.ts";
import { filesBelow } from "../../../../src/engine/bench/golden/read.ts";
import { bundledSuite, sourceSuite } from "../../../../src/engine/bench/suite/folders.ts";
import { workspaceSuite } from "../../../../src/engine/bench/suite/workspace-paths.ts";
import { scratchFolder, writeFiles } from "../support/disk-suite.ts";

const suiteJson = ".purser/golden/suite.json";

describe("where suites are", { concurrency: true }, () => {
  it("the bundled suite is next to purser's bundles, and in the repository", async () => {
    const root = path.resolve(import.meta.dirname, "../../../..");
    const paths = bundledSuite(path.join(root, "dist"));
    assert.deepEqual(paths, sourceSuite(path.join(root, "src/engine")));
    assert.ok((await loadSuite(paths)).ok);
  });

  it("an untrusted workspace has no suite", async (t) => {
    const workspace = await scratchFolder(t);
    await writeFiles(workspace, { [suiteJson]: '{ "schema": 1 }', ".purser/golden/fixture/a.txt": "" });
    const untrusted = await workspaceSuite(workspace, false);
    assert.equal(untrusted.ok ? "" : untrusted.reason, "untrusted");
    const trusted = await workspaceSuite(workspace, true);
    assert.ok(trusted.ok);
    assert.deepEqual(trusted.value, {
      folder: path.join(workspace, ".purser/golden"),
      origin: "workspace",
      installScripts: false,
      fixture: path.join(workspace, ".purser/golden/fixture"),
    });
  });

  it("its fixture is a folder of the workspace, and not all of it", async (t) => {
    const root = await scratchFolder(t);
    const workspace = path.join(root, "workspace");
    await writeFiles(root, { "outside/a.txt": "", "workspace/example/a.txt": "" });
    await symlink(path.join(root, "outside"), path.join(workspace, "link"), "junction");
    const place = async (fixture: string) => {
      await writeFiles(workspace, { [suiteJson]: JSON.stringify({ schema: 1, fixture }) });
      const places = await workspaceSuite(workspace, true);
      return places.ok ? path.relative(workspace, places.value.fixture) : places.reason;
    };
    assert.equal(await place("../../example"), "example");
    for (const elsewhere of ["../..", "../../../outside", "../../link", "none", path.join(root, "outside")])
      assert.equal(await place(elsewhere), "bad_suite", elsewhere);
  });

  it("it is refused if its file is damaged, and absent without it", async (t) => {
    const workspace = await scratchFolder(t);
    const none = await workspaceSuite(workspace, true);
    assert.equal(none.ok ? "" : none.reason, "no_suite");
    for (const text of [
      "",
      "{",
      "[]",
      '{"schema":2}',
      '{"schema":1,"fixture":3}',
      '{"schema":1,"fixtures":"a"}',
    ]) {
      await writeFiles(workspace, { [suiteJson]: text });
      const damaged = await workspaceSuite(workspace, true);
      assert.equal(damaged.ok ? "" : damaged.reason, "bad_suite", text);
    }
  });
});

describe("a fixture copied from git", { concurrency: true }, () => {
  it("has what a commit has, and nothing else; the repository is as it was", async (t) => {
    const root = await scratchFolder(t);
    const repository = path.join(root, "repository");
    const git = (...args: string[]) =>
      execa("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: repository });
    await writeFiles(repository, {
      "a.txt": "one\n",
      "deep/b.txt": "b\n",
      ".purser/golden/suite.json": "{}",
    });
    await git("init", "-q");
    await git("add", "-A");
    await git("commit", "-qm", "first");
    await writeFiles(repository, { "a.txt": "two\n", "c.txt": "not added\n" });
    const before = (await git("status", "--porcelain")).stdout;
    const ports = {
      scratch: root,
      env: process.env,
      clock: systemClock,
      signal: new AbortController().signal,
    };
    const to = path.join(root, "fixture");
    const copied = await copyCommit({ folder: repository, commit: "HEAD", to }, ports);
    assert.ok(copied.ok, copied.ok ? "" : copied.detail.text);
    assert.deepEqual(await filesBelow(to), ["a.txt", "deep/b.txt"]);
    assert.equal(await readFile(path.join(to, "a.txt"), "utf8"), "one\n");
    assert.equal((await git("status", "--porcelain")).stdout, before);

    const part = path.join(root, "part");
    assert.ok(
      (await copyCommit({ folder: path.join(repository, "deep"), commit: "HEAD", to: part }, ports)).ok,
    );
    assert.deepEqual(await filesBelow(part), ["b.txt"]);

    const again = await copyCommit({ folder: repository, commit: "HEAD", to }, ports);
    assert.equal(again.ok ? "" : again.reason, "not_empty");
    const other = path.join(root, "other");
    for (const commit of ["no-such-commit", "--exec=x"]) {
      const failed = await copyCommit({ folder: repository, commit, to: other }, ports);
      assert.equal(failed.ok ? "" : failed.reason, "git_failed");
    }
    const none = await copyCommit(
      { folder: repository, commit: "HEAD", to: other },
      { ...ports, env: { PATH: "/nowhere" } },
    );
    assert.equal(none.ok ? "" : none.reason, "no_git");
    assert.ok(!existsSync(other));
  });
});
