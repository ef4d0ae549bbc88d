import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { appendFile, readFile, rm, writeFile, symlink } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import { loadSuite, workspaceSuite } from "../../../../src/engine/bench/suite/load-suite.ts";
import { bundledSuite, sourceSuite } from "../../../../src/engine/bench/suite/folders.ts";
import { suiteHash } from "../../../../src/engine/bench/suite/suite.ts";
import {
  anyText,
  fixtureFiles,
  suiteAt,
  suiteFiles,
  taskText,
  writeFiles,
  writeSuite,
  scratchFolder,
} from "../support/disk-suite.ts";
import { existsSync } from "node:fs";
import { execa } from "execa";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { copyCommit } from "../../../../src/engine/bench/execute/copy-commit.ts";
import { filesBelow } from "../../../../src/engine/bench/golden/read.ts";

/** Why a suite with these file contents is rejected. */
async function refusal(t: TestContext, files: Readonly<Record<string, string>>) {
  const loaded = await loadSuite(await writeSuite(t, files));
  assert.ok(!loaded.ok, "it was not refused");
  return loaded;
}

describe("a golden suite", { concurrency: true }, () => {
  it("is read: agents, tasks, what a check brings along, and the fixture", async (t) => {
    const paths = await writeSuite(t);
    const { agents, tasks, fixture, origin } = await suiteAt(paths);
    assert.equal(origin, "built-in");
    assert.deepEqual(
      agents.map(({ name, model, memory }) => ({ name, model, memory })),
      [{ name: "backend", model: null, memory: "user" }],
    );
    const [task] = tasks;
    assert.equal(task?.prompt, "Make sum add up");
    assert.equal(task.weight, 1);
    assert.deepEqual(
      task.checkFiles.map((file) => file.path),
      ["backend/01-sum.mjs", "shared/assert.mjs"],
    );
    assert.equal(task.wrongPaths.length, 2);
    assert.equal(fixture?.files, Object.keys(fixtureFiles).length);
  });

  it("is another task if its request or check changes, and the same if its solution does", async (t) => {
    const paths = await writeSuite(t);
    const before = await suiteAt(paths);
    const hash = async (file: string, text: string) => {
      const old = await readFile(path.join(paths.folder, file), "utf8");
      await writeFile(path.join(paths.folder, file), text);
      const suite = await suiteAt(paths);
      await writeFile(path.join(paths.folder, file), old);
      return suiteHash(suite, "backend");
    };
    const is = suiteHash(before, "backend");
    const task = suiteFiles["tasks/backend/01-sum.md"] ?? "";
    assert.notEqual(await hash("tasks/backend/01-sum.md", task.replace("add up", "add")), is);
    assert.notEqual(await hash("tasks/backend/01-sum.md", task.replace("title:", "weight: 2\ntitle:")), is);
    assert.notEqual(await hash("checks/backend/01-sum.mjs", "process.exit(0);\n"), is);
    assert.notEqual(await hash("checks/shared/assert.mjs", "export const assert = null;\n"), is);
    assert.equal(await hash("tasks/backend/01-sum.md", task.replace("title: A sum", "title: Sums")), is);
    assert.equal(await hash("tasks/backend/01-sum.solution.patch", "nothing"), is);
    assert.equal(await hash("tasks/backend/01-sum.md", task.replaceAll("\n", "\r\n")), is);
  });

  it("is refused when one byte of the fixture changes, by the file's name", async (t) => {
    const paths = await writeSuite(t);
    await appendFile(path.join(paths.fixture, "src/sum.mjs"), " ");
    await writeFiles(paths.fixture, { "src/more.mjs": "" });
    await rm(path.join(paths.fixture, "README.md"));
    const loaded = await loadSuite(paths);
    assert.ok(!loaded.ok);
    assert.equal(loaded.reason, "fixture_changed");
    assert.match(
      loaded.detail.text,
      /changed: src\/sum\.mjs; missing: README\.md; not of it: src\/more\.mjs$/u,
    );
  });

  it("names the file of any one byte", async (t) => {
    const paths = await writeSuite(t);
    const names = Object.keys(fixtureFiles);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (name, at, by) => {
          const file = path.join(paths.fixture, name);
          const before = await readFile(file);
          const after = Buffer.from(before);
          const index = at % after.length;
          after.writeUInt8(after.readUInt8(index) ^ by, index);
          await writeFile(file, after);
          const loaded = await loadSuite(paths);
          await writeFile(file, before);
          assert.ok(!loaded.ok);
          assert.ok(loaded.detail.text.endsWith(`; changed: ${name}`), loaded.detail.text);
        },
      ),
      { numRuns: 60 },
    );
    assert.ok((await loadSuite(paths)).ok);
  });

  it("ignores files outside the fixture, and line ends", async (t) => {
    const paths = await writeSuite(t);
    await writeFiles(paths.fixture, {
      "node_modules/a/index.js": "",
      ".git/HEAD": "",
      "BUGS.md": "everything",
      "data/lending.db": "",
      "data/lending.sqlite3-wal": "",
      "src/sum.mjs": fixtureFiles["src/sum.mjs"].replaceAll("\n", "\r\n"),
    });
    assert.equal((await suiteAt(paths)).fixture?.files, 2);
    await writeFiles(paths.fixture, { "docs/BUGS.md": "" });
    const loaded = await loadSuite(paths);
    assert.match(loaded.ok ? "" : loaded.detail.text, /not of it: docs\/BUGS\.md/u);
  });

  it("is refused without a manifest, or with one that is damaged", async (t) => {
    const paths = await writeSuite(t);
    const manifest = path.join(paths.folder, "fixture.json");
    await writeFile(manifest, '{ "schema": 1, "files": { "a": "b" } }');
    const damaged = await loadSuite(paths);
    assert.equal(damaged.ok ? "" : damaged.reason, "bad_manifest");
    await rm(manifest);
    const missing = await loadSuite(paths);
    assert.match(missing.ok ? "" : missing.detail.text, /There is no .+fixture\.json/u);
  });

  it("is refused when it cannot be read", async (t) => {
    const paths = await writeSuite(t);
    await rm(paths.fixture, { recursive: true });
    const loaded = await loadSuite(paths);
    assert.match(loaded.ok ? "" : `${loaded.reason} ${loaded.detail.text}`, /^unreadable .+ENOENT/u);
  });

  it("has tasks of its agents, in their folders, each id once; drafts do not count", async (t) => {
    const task = suiteFiles["tasks/backend/01-sum.md"] ?? "";
    assert.match(
      (await refusal(t, { "tasks/sql/01-sum.md": task })).detail.text,
      /is for backend, and stands in/u,
    );
    const other = task.replaceAll("agent: backend", "agent: sql");
    assert.match((await refusal(t, { "tasks/sql/01-sum.md": other })).detail.text, /there is no agent sql/u);
    assert.match(
      (await refusal(t, { "tasks/backend/02-sum.md": task })).detail.text,
      /has the id backend-01-sum as well/u,
    );
    assert.match(
      (await refusal(t, { "agents/sql.md": suiteFiles["agents/backend.md"] ?? "" })).detail.text,
      /is named backend/u,
    );
    const paths = await writeSuite(t, { "tasks/backend/02-idea.draft.md": "not yet" });
    assert.equal((await suiteAt(paths)).tasks.length, 1);
  });
});

describe("a golden task's frontmatter", { concurrency: true }, () => {
  const hostile: readonly [what: string, line: string, said: RegExp][] = [
    ["an id that leads elsewhere", "id: ../../etc", /id:/u],
    ["an id with capitals", "id: Backend", /id:/u],
    ["no id", "", /id:/u],
    ["a prompt that is an option", "prompt: --dangerously-skip-permissions", /prompt: it begins with -/u],
    ["a prompt that is an option after spaces", 'prompt: "  \\n -p"', /prompt: it begins with -/u],
    ["an empty prompt", 'prompt: "  "', /prompt:/u],
    ["a prompt with an escape", 'prompt: "a\\u001b[2Jb"', /prompt: it has characters that can't be seen/u],
    ["a prompt with a NUL", 'prompt: "a\\0b"', /can't be seen/u],
    ["a prompt that reads backwards", 'prompt: "a\\u202eb"', /can't be seen/u],
    ["a prompt with a hidden mark", 'prompt: "a\\u200bb"', /can't be seen/u],
    ["a prompt that is too long", `prompt: ${"a".repeat(4001)}`, /prompt:/u],
    ["a prompt that is no text", "prompt: [a, b]", /prompt:/u],
    ["a check of several lines", 'check: "true\\nfalse"', /check: it has characters/u],
    ["a weight of nothing", "weight: 0", /weight:/u],
    ["a weight below nothing", "weight: -1", /weight:/u],
    ["a weight without end", "weight: .inf", /weight:/u],
    ["a weight that is no number", "weight: .nan", /weight:/u],
    ["a solution elsewhere", "solution: ../../fixture/a.patch", /solution:/u],
    ["a solution at an absolute path", "solution: /etc/passwd.patch", /solution:/u],
    ["a solution on another drive", 'solution: "C:\\\\a.patch"', /solution:/u],
    ["a solution that is hidden", "solution: .a.patch", /solution:/u],
    ["a solution of no kind", "solution: a.md", /solution:/u],
    ["a wrong one elsewhere", "wrong: [../a.patch]", /wrong\.0:/u],
    ["a member nobody knows", "solutoin: a.patch", /solutoin/u],
    ["a key twice", "agent: backend", /unique/iu],
    ["an alias", "title: &a A\nwrong: [*a]", /alias/iu],
    ["a prototype", "__proto__: { weight: 3 }", /__proto__|Unrecognized/u],
  ];
  for (const [what, line, said] of hostile)
    it(`is refused with ${what}`, async (t) => {
      const [key = ""] = line.split(":");
      const usual = taskText().split("\n");
      const kept = usual.filter((each) => !each.startsWith(`${key}:`) || key === "agent" || key === "");
      const text =
        line === "" ? usual.filter((each) => !each.startsWith("id:")) : [kept[0], line, ...kept.slice(1)];
      const refused = await refusal(t, { "tasks/backend/01-sum.md": text.join("\n") });
      assert.equal(refused.reason, "bad_task");
      assert.match(refused.detail.text, said);
      assert.ok(refused.detail.text.includes("01-sum.md"));
    });

  it("is refused when it is huge, not closed, or not there", async (t) => {
    const task = (text: string) => ({ "tasks/backend/01-sum.md": text });
    assert.match((await refusal(t, task(taskText() + "a".repeat(100_000)))).detail.text, /at most 100000/u);
    assert.match((await refusal(t, task("---\nid: a\n"))).detail.text, /between --- and ---/u);
    assert.match((await refusal(t, task("Do something\n"))).detail.text, /between --- and ---/u);
    assert.match((await refusal(t, task(`---\n${"a: &a [".repeat(3000)}\n---\n`))).detail.text, /./u);
  });

  it("never throws for any content", async (t) => {
    const paths = await writeSuite(t);
    const file = path.join(paths.folder, "tasks/backend/01-sum.md");
    const lines = fc.array(
      fc.oneof(
        anyText(40),
        fc.constantFrom(
          ...taskText().split("\n"),
          "---",
          "prompt: |",
          "wrong:",
          "  - a.patch",
          "? [",
          "!!js a",
          "a: *b",
        ),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(lines, async (written) => {
        await writeFile(file, `---\n${written.join("\n")}\n---\n`);
        const loaded = await loadSuite(paths);
        if (!loaded.ok) assert.equal(loaded.reason, "bad_task");
        else assert.equal(loaded.value.tasks.length, 1);
      }),
      { numRuns: 200 },
    );
  });
});

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
      workspace,
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
