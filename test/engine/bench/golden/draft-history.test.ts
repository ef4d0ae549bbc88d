import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { randomUUID } from "node:crypto";
import { execa } from "execa";
import fc from "fast-check";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { succeed } from "../../../../src/engine/base/result.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { auditSuite } from "../../../../src/engine/bench/golden/audit.ts";
import { draftHistory, readHistory } from "../../../../src/engine/bench/golden/history/draft-history.ts";
import { roleOf, testsToRun } from "../../../../src/engine/bench/golden/history/file-roles.ts";
import { planHistory } from "../../../../src/engine/bench/golden/history/plan-history.ts";
import { promptOf } from "../../../../src/engine/bench/golden/history/task-prompt.ts";
import {
  commandsOf,
  findTestCommands,
  onlyTitles,
  withTests,
  type TestCommands,
} from "../../../../src/engine/bench/golden/history/test-command.ts";
import { wrongPatches } from "../../../../src/engine/bench/golden/history/wrong-patches.ts";
import { loadSuite, workspaceSuite } from "../../../../src/engine/bench/suite/load-suite.ts";
import { scratchFolder, writeFiles } from "../support/disk-suite.ts";

const testOf = (name: string, body: string) =>
  `import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport * as words from "../src/words.mjs";\ntest("${name}", () => {\n  ${body}\n});\n`;

const first = "export const upper = (text) => text.toUpperCase();\n";
const trim = "export const trimmed = (text) => text.trim();\n";
const equal = "export const isEqual = (one, other) => one === other;\n";
const odd = "test/it's $(odd); name.test.mjs";

/** The project says how its tests run. */
const byItself: TestCommands | null = null;

/** A project whose history has one commit of each kind. */
async function project(t: TestContext) {
  const root = await scratchFolder(t);
  const workspace = path.join(root, "project");
  const git = async (...args: string[]) =>
    (await execa("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: workspace })).stdout;
  await writeFiles(workspace, {
    "package.json": '{ "type": "module", "scripts": { "test": "eslint . && node --test" } }\n',
    "src/words.mjs": first,
    "test/words.test.mjs": testOf("makes letters large", 'assert.equal(words.upper("a"), "A");'),
  });
  await git("init", "-q");
  const commit = async (message: string, files: Record<string, string>) => {
    await writeFiles(workspace, files);
    await git("add", "-A");
    await git("commit", "-q", "-m", message);
  };
  await commit("begin", {});
  await commit(
    "fix(words): trim spaces around a word (#12)\n\nCo-authored-by: A <a@b.c>\n\nUses text.trim() inside.",
    {
      "src/words.mjs": first + trim,
      [odd]: testOf("trims a word", 'assert.equal(words.trimmed(" a "), "a");'),
    },
  );
  await commit("feat: compare words", {
    "src/words.mjs": first + trim + equal,
    "test/equal.test.mjs": testOf(
      "compares",
      'assert.ok(words.isEqual("a", "a"));\n  assert.ok(!words.isEqual("a", "b"));',
    ),
  });
  await commit("only code", { "src/words.mjs": `${first + trim + equal}// more\n` });
  await commit("the test proves nothing at all", {
    "src/words.mjs": first + trim + equal,
    "test/nothing.test.mjs": testOf("nothing", "assert.ok(words);"),
  });
  await commit("another time", {
    "src/words.mjs": `${first + trim + equal}export const flaky = () => process.hrtime()[1] % 2 < 3;\n`,
    "test/broken.test.mjs": testOf("breaks", "assert.ok(words.missing());"),
  });
  const signal = new AbortController();
  const ports = {
    cache: path.join(root, "cache"),
    scratch: path.join(root, "scratch"),
    memory: path.join(root, "memory"),
    env: process.env,
    clock: systemClock,
    signal: signal.signal,
    commands: byItself,
    modules: () => Promise.resolve(succeed(null)),
    issue: () => Promise.resolve(null),
    lock: { pid: process.pid, machine: thisMachine(), unique: randomUUID },
    unique: randomUUID,
    onProgress: () => undefined,
  };
  const folder = path.join(workspace, ".purser/golden");
  const draft = async (
    more: Partial<Omit<typeof ports, "commands">> & { readonly commands?: TestCommands } = {},
    known: ReadonlySet<string> = new Set(),
  ) => {
    const all = { ...ports, ...more };
    const plan = await planHistory({ wanted: 30, known }, { ...all, folder: workspace });
    assert.ok(plan.ok);
    const request = {
      plan: plan.value,
      wanted: 30,
      isAgain: false,
      workspace,
      folder,
      agent: "developer",
      agents: [],
    };
    const made = await draftHistory(request, all);
    assert.ok(made.ok, made.ok ? "" : made.detail.text);
    return { plan: plan.value, outcomes: made.value };
  };
  const plan = async () => {
    const planned = await planHistory({ wanted: 30, known: new Set() }, { ...ports, folder: workspace });
    assert.ok(planned.ok);
    return planned.value;
  };
  return { root, workspace, git, commit, ports, folder, signal, draft, plan };
}

describe("tasks of a project's history", () => {
  it("are made of the commits whose tests tell work from none", async (t) => {
    const { workspace, git, folder, ports, draft } = await project(t);
    const before = await git("status", "--porcelain");
    const { plan, outcomes } = await draft();
    assert.deepEqual(
      [...outcomes, ...plan.excluded].map(({ subject, reason }) => [subject, reason]),
      [
        ["another time", "fails-after"],
        ["the test proves nothing at all", "passes-before"],
        ["feat: compare words", "task"],
        ["fix(words): trim spaces around a word (#12)", "task"],
        ["only code", "no-tests"],
        ["begin", "first"],
      ],
    );
    // Panels show the same, from the disk.
    assert.deepEqual(await readHistory({ workspace, memory: ports.memory }), outcomes);
    assert.deepEqual(await readHistory({ workspace: folder, memory: ports.memory }), []);
    assert.equal(before, "");
    assert.equal(await git("status", "--porcelain"), "?? .purser/");
    assert.deepEqual(await readdir(ports.scratch), []);
    const paths = await workspaceSuite(workspace, true);
    assert.ok(paths.ok);
    const suite = await loadSuite(paths.value, ports);
    assert.ok(suite.ok, suite.ok ? "" : suite.detail.text);
    assert.equal(new Set(suite.value.tasks.map(({ base }) => base)).size, 2);
    const audits = await auditSuite(suite.value, suite.value.tasks, { ...ports, parallel: 1 });
    assert.deepEqual(
      audits.flatMap(({ faults }) => faults),
      [],
    );
    const prompts = suite.value.tasks.map(({ prompt }) => prompt).join("\n");
    assert.match(prompts, /Trim spaces around a word/u);
    assert.match(prompts, /`trimmed`/u);
    assert.doesNotMatch(prompts, /#12|Co-authored|text\.trim\(\)/u);
    const known = new Set(suite.value.tasks.flatMap(({ base }) => base ?? []));
    const again = await draft({}, known);
    assert.deepEqual(
      again.outcomes.map(({ reason }) => reason),
      ["fails-after", "passes-before"],
    );
    assert.equal(
      (await readdir(path.join(folder, "tasks/developer"))).filter((name) => name.endsWith(".md")).length,
      2,
    );
  });

  it("take a merge for one change if its commits change the code and its tests one after the other", async (t) => {
    const { git, commit, plan } = await project(t);
    const [main = ""] = (await git("branch", "--show-current")).split("\n");
    const before = await git("rev-parse", "HEAD");
    await git("checkout", "-q", "-b", "shorten");
    await commit("first attempt", { "src/short.mjs": "export const short = () => 'b';\n" });
    await commit("second attempt", { "src/short.mjs": "export const short = (text) => text[0];\n" });
    await commit("tests for it", { "test/short.test.mjs": "// short\n" });
    await git("checkout", "-q", main);
    const message = "Merge pull request #7 from someone/shorten\n\nfeat: shorten words";
    await git("merge", "-q", "--no-ff", "-m", message, "shorten");
    const { candidates, excluded } = await plan();
    const [merge] = candidates;
    assert.deepEqual(merge?.parents, [before]);
    assert.equal(merge.message, "feat: shorten words #7\n\nfirst attempt\nsecond attempt\ntests for it");
    assert.deepEqual(merge.files.map(({ path: file }) => file).sort(), [
      "src/short.mjs",
      "test/short.test.mjs",
    ]);
    assert.equal(excluded.find(({ subject }) => subject === "tests for it")?.reason, "only-tests");
  });

  it("take the commits of a merge if one of them has code and tests", async (t) => {
    const { git, commit, plan } = await project(t);
    const [main = ""] = (await git("branch", "--show-current")).split("\n");
    await git("checkout", "-q", "-b", "shorten");
    await commit("shorten words", { "src/short.mjs": "// code\n", "test/short.test.mjs": "// short\n" });
    await git("checkout", "-q", main);
    await git("merge", "-q", "--no-ff", "-m", "Merge pull request #7", "shorten");
    const { candidates, excluded } = await plan();
    assert.ok(candidates.some(({ message }) => message === "shorten words"));
    assert.deepEqual(
      excluded.filter(({ reason }) => reason === "merge").map(({ subject }) => subject),
      ["Merge pull request #7"],
    );
  });

  it("of Go from before its modules get the module's name of today", async (t) => {
    const { commit, draft, folder } = await project(t);
    await commit("accept long words", {
      "words.go": "package words\nvar long = 1\n",
      "words_test.go": "// a test\n",
    });
    await commit("name the module", { "go.mod": "module example.com/words\n\ngo 1.12\n" });
    const commands = [
      ["grep", "-qx", "module example.com/words", "go.mod"],
      ["grep", "-q", "long = 1$", "words.go"],
    ];
    const { outcomes } = await draft({ commands });
    const made = outcomes.find(({ subject }) => subject === "accept long words");
    assert.equal(made?.reason, "task");
    const name = path.basename(made.file ?? "", ".md");
    const check = await readFile(path.join(folder, "checks/developer", `${name}.json`), "utf8");
    assert.match(check, /"go\.mod": "module example\.com\/words\\n"/u);
  });

  it("rest on the tests that a commit adds where others of the file fail here", async (t) => {
    const { commit, draft, folder } = await project(t);
    const broken = 'test("fails on this machine", () => assert.ok(false));\n';
    const old = testOf("compares", 'assert.ok(words.isEqual("a", "a"));') + broken;
    await commit("break", { "test/equal.test.mjs": old });
    const added = 'test("counts (all) letters", () => assert.equal(words.count("ab"), 2));\n';
    await commit("count the letters of a word", {
      "src/words.mjs": `${first + trim + equal}export const count = (text) => text.length;\n`,
      "test/equal.test.mjs": old + added,
    });
    const { outcomes } = await draft();
    assert.deepEqual([outcomes[0]?.subject, outcomes[0]?.reason], ["count the letters of a word", "task"]);
    const name = path.basename(outcomes[0]?.file ?? "", ".md");
    const check = await readFile(path.join(folder, "checks/developer", `${name}.json`), "utf8");
    assert.match(check, /--test-name-pattern=counts /u);
  });

  it("continue where they were cancelled", async (t) => {
    const { draft, signal, ports, folder } = await project(t);
    let runs = 0;
    const { outcomes } = await draft({
      onProgress: () => {
        runs += 1;
        if (runs === 8) signal.abort();
      },
    });
    assert.ok(outcomes.length < 4);
    assert.deepEqual(await readdir(ports.scratch), []);
    const rest = await draft({ signal: new AbortController().signal });
    assert.equal(rest.outcomes.filter(({ reason }) => reason === "task").length, 2);
    assert.match(await readFile(path.join(folder, "agents/developer.md"), "utf8"), /^---\nname: developer/u);
  });
});

describe("what a project's history says", () => {
  it("names the role of each file", () => {
    const roles = [
      "src/a.ts",
      "test/a.test.ts",
      "src/a_test.go",
      "tests/conftest.py",
      "README.md",
      "package-lock.json",
      "tests/typing/typing_edit.py",
      "tests/typing/test_edit.py",
    ];
    assert.deepEqual(roles.map(roleOf), [
      "work",
      "test",
      "test",
      "support",
      "text",
      "dependencies",
      "support",
      "test",
    ]);
  });

  it("runs code in a folder of tests only where no file has a test's name", () => {
    assert.deepEqual(testsToRun(["test/world.ts", "test/a.test.ts", "src/a.ts"]), ["test/a.test.ts"]);
    assert.deepEqual(testsToRun(["test/router.js", "lib/router.js"]), ["test/router.js"]);
  });

  it("finds the test command, without linters and coverage", async () => {
    const of = (test: string, more: Record<string, string> = {}) =>
      findTestCommands(
        (file) =>
          Promise.resolve(file === "package.json" ? JSON.stringify({ scripts: { test, ...more } }) : null),
        {},
      );
    assert.deepEqual(await of("eslint . && vitest run --coverage"), [["vitest", "run", "{files}"]]);
    assert.deepEqual(
      await of("nyc mocha --require test/support/env --reporter spec test/ test/acceptance/"),
      [["mocha", "--require", "test/support/env", "spec", "{files}"].filter((word) => word !== "spec")],
    );
    assert.deepEqual(await of("npm run build && npm run unit", { build: "tsc", unit: "node --test dist" }), [
      ["tsc"],
      ["node", "--test", "dist", "{files}"],
    ]);
    assert.equal(await of("echo no tests"), null);
    const named = await findTestCommands(() => Promise.resolve(null), { "flag_test.go": "" });
    const byScript = async (devDependencies: Record<string, string>, text: string) =>
      findTestCommands(
        (file) =>
          Promise.resolve(
            file === "package.json"
              ? JSON.stringify({ scripts: { test: "node scripts/test.mjs" }, devDependencies })
              : null,
          ),
        { "test/a.test.ts": text },
      );
    assert.deepEqual(await byScript({ node: "24" }, 'import { test } from "node:test";'), [
      ["node", "--test", "{files}"],
    ]);
    assert.deepEqual(await byScript({ node: "24", mocha: "1" }, "describe()"), [["mocha", "{files}"]]);
    assert.equal(await byScript({ node: "24" }, "describe()"), null);
    assert.deepEqual(named?.[0]?.slice(0, 4), ["env", "GO111MODULE=off", "go", "test"]);
    assert.deepEqual(withTests([["go", "test", "{folders}"]], ["a/b_test.go", "a/c_test.go"]), [
      ["go", "test", "./a"],
    ]);
    assert.deepEqual(commandsOf('a "b c" && d {files}'), [
      ["a", "b c"],
      ["d", "{files}"],
    ]);
    assert.equal(commandsOf("a | b"), null);
  });

  it("names the tests of a title in each program's way, as far as they are plain", () => {
    const only = (command: string, titles: readonly string[]) =>
      onlyTitles(commandsOf(command) ?? [], titles)?.at(-1);
    assert.deepEqual(only("tsc && vitest run {files}", ["adds (a)", "of ${each}"]), [
      "vitest",
      "run",
      "-t",
      "adds \\(a\\)",
      "{files}",
    ]);
    assert.deepEqual(only("python3 -m pytest -q {files}", ["test_a", "test_b"]), [
      "python3",
      "-m",
      "pytest",
      "-q",
      "-k",
      "test_a or test_b",
      "{files}",
    ]);
    assert.deepEqual(only("go test {folders}", ["TestA"])?.slice(0, 4), [
      "go",
      "test",
      "-run",
      "^(?:TestA)$",
    ]);
    assert.equal(only("node --test {files}", ["of ${each}"]), undefined);
    assert.equal(only("cargo test", ["adds"]), undefined);
  });

  it("makes prompts that a task accepts, whatever a commit says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.string(), (message, tests, work) => {
        const made = promptOf({ message, issue: null, tests, work });
        if (made === null) return;
        assert.ok(made.prompt.length > 0 && made.prompt.length <= 4000 && !made.prompt.startsWith("-"));
        assert.doesNotMatch(made.prompt.replaceAll(/[\n\t]/gu, ""), /[\p{Cc}\p{Cf}\p{Cs}]/u);
        assert.ok(made.title.length > 0 && made.title.length <= 120);
      }),
    );
  });

  it("turns a solution into wrong ones", () => {
    const patch =
      "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,3 @@\n-old\n+// a === b\n+if (a === b) return true;\n+call(1);\n";
    const wrong = wrongPatches(patch, 5);
    assert.ok(wrong.length >= 2);
    assert.ok(wrong.every((each) => each !== patch && each.includes("// a === b")));
  });
});
