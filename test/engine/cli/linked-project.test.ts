import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { FileSpending } from "../../../src/engine/budgets/spending/file.ts";
import { scratchFolder } from "../support/scratch.ts";
import { Scratch } from "./support/support.ts";

/** A repository of which some folders are links to a folder of the user's. */
function linked(t: TestContext, ...links: string[]) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const outside = scratchFolder(t);
  const project = path.join(scratch.root, "cloned");
  mkdirSync(project);
  execFileSync("git", ["init", "-q"], { cwd: project });
  for (const link of links) {
    const file = path.join(project, link);
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(outside, file, "junction");
  }
  const purser = (...argv: string[]) =>
    scratch.purser(argv, { cwd: project, run: () => Promise.resolve(null) });
  return { project, outside, purser };
}

const budget = ["budget", "create", "checkout"];
const agent = ["agent", "add", "keeper", "--program", "claude", "--model", "claude-sonnet-4-5", "--yes"];
const install = (program: string, scope = "project") => [
  "hooks",
  "install",
  "--agent",
  program,
  "--scope",
  scope,
  "--yes",
  "--anyway",
];

describe("a cloned repository with links in the place of folders", () => {
  for (const [link, argv] of [
    [".purser", budget],
    [".purser/budgets", budget],
    [".purser/spending", budget],
    [".purser", agent],
    [".purser/agents", agent],
    [".purser/tasks/comments", ["task", "comment", "t1", "--text", "Done."]],
    [".purser/tasks/comments/t1", ["task", "comment", "t1", "--text", "Done."]],
    [".purser", ["golden", "freeze"]],
    [".purser/golden", ["golden", "freeze"]],
    [".claude", install("claude")],
    [".claude", install("claude", "local")],
    [".claude/skills", install("claude")],
    [".claude/skills/check-tokens", install("claude", "local")],
    [".codex", install("codex")],
    [".gemini", install("gemini")],
    [".github", install("copilot")],
    [".github/hooks", install("copilot")],
  ] as const)
    it(`${argv.slice(0, 2).join(" ")} writes nothing where ${link} leads`, async (t) => {
      const { project, outside, purser } = linked(t, link);
      if (argv[0] === "task") {
        const tasks = path.join(project, ".purser", "tasks");
        mkdirSync(tasks, { recursive: true });
        writeFileSync(path.join(tasks, "t1.md"), "---\ntitle: One\nstate: todo\n---\nText.\n");
      }
      const { code, stderr, stdout } = await purser(...argv);
      assert.notEqual(code, 0, stdout);
      assert.match(stderr + stdout, /leads to .+ by a link, which is outside of the project/u);
      assert.ok((stderr + stdout).includes(outside), "the real path is named");
      assert.deepEqual(readdirSync(outside), []);
    });

  it("records no spending there, and in a linked folder of its own it does", async (t) => {
    const { project, outside } = linked(t, ".purser");
    const spending = (of: string) =>
      new FileSpending({ project: of, files: nodeFiles, unique: () => "1", pause: () => Promise.resolve() });
    const written = await spending(project).writeTotals("ledger", []);
    assert.equal(written.ok || written.reason, "unusable");
    const changed = await spending(project).update((all) => ({ spending: { ...all }, value: null }));
    assert.equal(changed.ok || changed.reason, "unusable");
    assert.deepEqual(readdirSync(outside), []);
    const own = scratchFolder(t);
    mkdirSync(path.join(own, "state"));
    symlinkSync(path.join(own, "state"), path.join(own, ".purser"), "junction");
    assert.equal((await spending(own).writeTotals("ledger", [])).ok, true);
  });
});
