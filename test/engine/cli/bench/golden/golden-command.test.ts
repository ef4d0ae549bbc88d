import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { format, resolveConfig } from "prettier";
import { goldenJson, type GoldenJson } from "../../../../../src/engine/cli/bench/golden/golden-schema.ts";
import { jsonSchemaOf } from "../../../support/json-schema.ts";
import { Scratch } from "../../support/support.ts";
import { childEnv } from "../../../support/child-env.ts";
import {
  fixtureFiles,
  suiteFiles,
  taskText,
  writeFiles,
  writeSuite,
} from "../../../bench/support/disk-suite.ts";

async function placeFor(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const suite = await writeSuite(t, files);
  const env = { ...childEnv, CLAUDE_CONFIG_DIR: scratch.root };
  const now = () => Date.now();
  const purser = (...argv: string[]) => scratch.purser(["golden", ...argv], { suite, env, now });
  const json = async (...argv: string[]): Promise<GoldenJson> =>
    goldenJson.parse(JSON.parse((await purser(...argv, "--json")).stdout));
  return { scratch, root: scratch.root, suite, purser, json };
}

describe("purser golden", { concurrency: true }, () => {
  it("lists agents and tasks", async (t) => {
    const { purser, json } = await placeFor(t);
    const { stdout, code } = await purser("list");
    assert.equal(code, 0);
    assert.match(stdout, /: 1 agent, 1 task\nFixture [0-9a-f]{12}: 2 files/u);
    assert.match(stdout, /backend-01-sum +1 +[0-9a-f]{12} +A sum/u);
    const { suite, tasks, faults } = await json("list");
    assert.deepEqual([suite?.origin, tasks.length, faults], ["built-in", 1, []]);
  });

  it("tests whether checks distinguish work from no work", async (t) => {
    const { purser, json } = await placeFor(t);
    const { stdout, code } = await purser("check");
    assert.equal(code, 0);
    assert.match(stdout, /backend-01-sum +failed +passed +2 of 2 failed/u);
    assert.match(stdout, /1 task: all checks work, tested in 4 runs\n$/u);
    assert.equal((await json("check", "--task", "backend-01-sum")).audits[0]?.trials.length, 4);
  });

  it("names a check that always passes, and exits with 1", async (t) => {
    const { purser, json } = await placeFor(t, {
      "tasks/backend/01-sum.md": taskText("node --version", "solution: 01-sum.solution.patch\n"),
    });
    const { stdout, code } = await purser("check");
    assert.equal(code, 1);
    assert.match(stdout, /backend-01-sum: its check passes although nothing was done/u);
    assert.deepEqual(
      (await json("check")).audits[0]?.faults.map(({ kind }) => kind),
      ["always-passes", "few-wrong"],
    );
  });

  it("refuses a fixture that was changed, by the file's name", async (t) => {
    const { purser, json, suite } = await placeFor(t);
    await appendFile(path.join(suite.fixture, "src/sum.mjs"), "\n");
    const { stderr, code } = await purser("check");
    assert.equal(code, 1);
    assert.match(stderr, /^purser golden check: .+changed: src\/sum\.mjs\n$/u);
    assert.deepEqual((await json("list")).faults[0]?.reason, "fixture_changed");
  });

  it("explains its usage", async (t) => {
    const { purser } = await placeFor(t);
    for (const [argv, said] of [
      [["check", "--task", "no-task"], /there is no task "no-task"; one of backend-01-sum/u],
      [["list", "--suite", "mine"], /--suite "mine" is not one of built-in, workspace/u],
      [["new", "--agent", "backend"], /--session and --agent are required/u],
      [["new", "--agent"], /--agent needs a value/u],
      [["what"], /unknown subcommand "what"/u],
    ] as const) {
      const { code, stderr } = await purser(...argv);
      assert.equal(code, 2, stderr);
      assert.match(stderr, said);
    }
    assert.match((await purser("--help")).stdout, /purser golden freeze/u);
    assert.match((await purser("list", "--suite", "workspace")).stderr, /There is no .+suite\.json/u);
  });

  it("takes a task from a session to a suite of the workspace's own", async (t) => {
    const { root, scratch, purser, json } = await placeFor(t);
    const workspace = path.join(root, "workspace");
    await writeFiles(workspace, fixtureFiles);
    const git = (...args: string[]) =>
      execa("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: workspace });
    await git("init", "-q");
    await git("add", "-A");
    await git("commit", "-qm", "before the session");
    const rows = [
      { type: "user", cwd: workspace, sessionId: "5e55", message: { content: "Make sum add up" } },
      {
        type: "user",
        cwd: workspace,
        message: { content: [{ type: "tool_result" }] },
        toolUseResult: {
          filePath: path.join(workspace, "src/sum.mjs"),
          originalFile: fixtureFiles["src/sum.mjs"],
          oldString: "one - other",
          newString: "one + other",
        },
      },
    ];
    scratch.transcript("-workspace/5e55.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

    const drafted = await json("new", "--session", "5e", "--agent", "backend", "--cwd", workspace);
    assert.deepEqual(drafted.faults, []);
    assert.equal(drafted.files.length, 4);
    assert.match(
      drafted.remaining.map(({ text }) => text).join("\n"),
      /^run purser golden freeze --commit C/u,
    );
    assert.equal((await purser("freeze", "--commit", "HEAD", "--cwd", workspace)).code, 0);

    const own = path.join(workspace, ".purser/golden");
    assert.deepEqual(JSON.parse(readFileSync(path.join(own, "suite.json"), "utf8")), {
      schema: 1,
      fixture: "fixture",
    });
    assert.equal((await json("list", "--cwd", workspace)).tasks.length, 0, "a draft is no task");
    assert.match((await purser("check", "--cwd", workspace)).stderr, /has no tasks/u);

    // The manual steps of a person.
    const draft = drafted.files[0] ?? "";
    renameSync(draft, draft.replace(".draft", ""));
    await writeFiles(own, { "checks/shared/assert.mjs": suiteFiles["checks/shared/assert.mjs"] ?? "" });
    writeFileSync(drafted.files[1] ?? "", suiteFiles["checks/backend/01-sum.mjs"] ?? "");
    const checked = await purser("check", "--cwd", path.join(workspace, "src"));
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    const listed = await json("list", "--cwd", workspace);
    assert.deepEqual(
      [listed.suite?.origin, listed.tasks[0]?.id],
      ["workspace", "backend-01-make-sum-add-up"],
    );

    // Freezing again leaves the existing fixture as it is.
    assert.match(
      (await purser("freeze", "--commit", "HEAD", "--cwd", workspace)).stderr,
      /is there already/u,
    );
    await appendFile(path.join(own, "fixture/README.md"), "more\n");
    assert.match((await purser("list", "--cwd", workspace)).stderr, /changed: README\.md/u);
    assert.equal((await purser("freeze", "--cwd", workspace)).code, 0);
    assert.equal((await purser("list", "--cwd", workspace)).code, 0);
  });

  it("names a session that is not there, or not the only one", async (t) => {
    const { scratch, purser } = await placeFor(t);
    for (const id of ["aa1", "aa2"]) scratch.transcript(`-a/${id}.jsonl`, "{}\n");
    const asked = async (id: string) => await purser("new", "--session", id, "--agent", "backend");
    assert.match((await asked("bb")).stderr, /There is no session "bb"/u);
    assert.match((await asked("aa")).stderr, /2 sessions begin with "aa"/u);
    assert.match((await asked("aa1")).stderr, /Nobody asked anything/u);
    assert.ok(!existsSync(path.join(scratch.root, ".purser")));
  });
});

const schemaFile = fileURLToPath(new URL("../../../../../media/schemas/golden.schema.json", import.meta.url));

it("media/schemas describes the output of `purser golden --json`; UPDATE_GOLDEN=1 writes it again", async () => {
  const style = { ...(await resolveConfig(schemaFile)), filepath: schemaFile };
  const schema = await format(JSON.stringify(jsonSchemaOf(goldenJson)), style);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(path.dirname(schemaFile), { recursive: true });
    writeFileSync(schemaFile, schema);
  }
  assert.equal(readFileSync(schemaFile, "utf8"), schema);
});
