import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { agentsWithTasks } from "../../../src/engine/bench/golden.ts";
import { describeNeed } from "../../../src/engine/rules/needs.ts";
import { createNeedsFinder } from "../../../src/engine/rules/needs-here.ts";
import { scratchFolder } from "../support/scratch.ts";

function put(folder: string, name: string, text = ""): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const definition = (name: string, memory: string | null) =>
  `---\nname: ${name}\n${memory === null ? "" : `memory: ${memory}\n`}---\nDo it.\n`;

test("Rules need an agent of Claude Code with a memory that is its user's, and golden tasks", async (t) => {
  const userHome = scratchFolder(t);
  const golden = path.join(userHome, "golden");
  put(golden, "tasks/sql/one.md");
  put(golden, "tasks/scout/one.md");
  const agents = path.join(userHome, ".claude", "agents");
  put(agents, "sql.md", definition("sql", "user"));
  put(agents, "writer.md", definition("writer", "user"));
  const scout = put(agents, "scout.md", definition("scout", null));
  const needs = createNeedsFinder({ golden, env: {}, userHome });
  const of = (agent: string, program = "claude-code", project: string | null = null) =>
    needs({ agent, program, project });
  assert.deepEqual(await of("sql"), []);
  assert.deepEqual(await of("writer"), [{ kind: "no-tasks" }]);
  assert.deepEqual(await of("scout"), [{ kind: "no-memory", file: scout }]);
  assert.deepEqual(await of("Explore"), [{ kind: "no-definition" }, { kind: "no-tasks" }]);
  assert.deepEqual(await of("main"), [], "its file is chosen when its first rule is approved");
  assert.deepEqual(await of("sql", "codex"), [{ kind: "program", program: "codex" }]);
  // A project may define an agent differently and have its own tasks. A folder with only drafts is not a
  // suite.
  const project = path.join(userHome, "projëct");
  const own = put(project, ".claude/agents/sql.md", definition("sql", "project"));
  put(project, ".purser/golden/tasks/writer/one.md");
  assert.deepEqual(await of("sql", "claude-code", project), [
    { kind: "elsewhere", file: own, scope: "project" },
  ]);
  assert.deepEqual(await of("writer", "claude-code", project), [{ kind: "no-tasks" }]);
  put(project, ".purser/golden/suite.json", "{}");
  assert.deepEqual(await of("writer", "claude-code", project), []);
  assert.deepEqual(await of("writer", "claude-code", "not a folder"), [{ kind: "no-tasks" }]);
  // Without a shipped suite, and with Claude Code's folder elsewhere.
  const moved = createNeedsFinder({ env: { CLAUDE_CONFIG_DIR: path.join(userHome, "moved") }, userHome });
  assert.deepEqual(await moved({ agent: "sql", program: "claude-code", project: null }), [
    { kind: "no-definition" },
    { kind: "no-tasks" },
  ]);
});

test("An agent has tasks where one is finished, in a folder of its name", async (t) => {
  const folder = scratchFolder(t);
  assert.deepEqual(await agentsWithTasks(folder), []);
  put(folder, "tasks/drafting/one.draft.md");
  put(folder, "tasks/stray.md");
  put(folder, "tasks/scout/one.md");
  put(folder, "tasks/scout/deeper/two.md");
  put(folder, "tasks/patches/one.patch");
  assert.deepEqual(await agentsWithTasks(folder), ["scout"]);
});

test("Each missing part comes with a remedy", () => {
  assert.match(
    describeNeed({ kind: "no-memory", file: "/a.md" }).text,
    /add the line memory: user to \/a\.md\.$/u,
  );
  assert.match(
    describeNeed({ kind: "elsewhere", file: "/a.md", scope: "local" }).text,
    /memory: local.*\/a\.md/u,
  );
  assert.match(describeNeed({ kind: "no-tasks" }).text, /New Golden Task…/u);
  assert.match(describeNeed({ kind: "main" }).text, /a file of this project/u);
  assert.match(describeNeed({ kind: "no-folder" }).text, /open its folder/u);
  assert.match(describeNeed({ kind: "program", program: "codex" }).text, /Claude Code/u);
  assert.match(describeNeed({ kind: "no-definition" }).text, /memory: user/u);
});
