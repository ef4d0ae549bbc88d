import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { FileSpending } from "../../../src/engine/budgets/spending/spending-file.ts";
import { installContext } from "../../../src/engine/hooks/install/hooks-install-context.ts";
import { removeInstalled } from "../../../src/engine/hooks/install/remove.ts";
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
  const removeAll = () => {
    const run = () => Promise.resolve(null);
    const place = { env: {}, home: scratch.root, program: "/no-service", cwd: null } as const;
    return removeInstalled(installContext({ ...place, posting: "never", run }, null));
  };
  return { project, outside, purser, removeAll };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => [name, readFileSync(path.join(folder, name), "utf8")]);

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

  for (const [program, link] of [
    ["claude", ".claude"],
    ["codex", ".codex"],
    ["gemini", ".gemini"],
    ["copilot", ".github"],
    ["copilot", ".github/hooks"],
  ] as const)
    it(`hooks uninstall of ${program} changes nothing where ${link} leads`, async (t) => {
      const { project, outside, purser, removeAll } = linked(t);
      assert.equal((await purser(...install(program))).code, 0);
      const place = path.join(project, link);
      // Another commit has a link in its place, to a folder with the same files.
      cpSync(place, outside, { recursive: true });
      rmSync(place, { recursive: true });
      symlinkSync(outside, place, "junction");
      const before = filesIn(outside);
      const asked = ["hooks", "uninstall", "--agent", program, "--scope", "project"];
      const { code, stderr } = await purser(...asked, "--yes");
      assert.notEqual(code, 0);
      assert.match(stderr, /leads to .+ by a link, which is outside of the project/u);
      assert.ok(stderr.includes(outside), "the real path is named");
      const all = await removeAll();
      assert.deepEqual(filesIn(outside), before);
      assert.ok(
        all.some(({ outcome, detail }) => outcome === "failed" && detail?.text.includes(outside)),
        "and so does the removal of all hooks",
      );
    });

  it("records no spending there, but does in a separate linked folder", async (t) => {
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
