import assert from "node:assert/strict";
import test from "node:test";
import { instructionFields, instructionFileAt } from "../../../src/engine/instructions/instruction-file.ts";

const paths = { folders: ["/work/app"], roots: ["/home/dev/.claude"] };
const claude = ["claude-code"];

test("A file is what its place makes of it", () => {
  const cases = [
    ["/work/app/CLAUDE.md", "instructions", "/work/app", "CLAUDE.md"],
    ["/work/app/.claude/CLAUDE.md", "instructions", "/work/app", ".claude/CLAUDE.md"],
    ["/work/app/api/CLAUDE.local.md", "instructions", "/work/app/api", "api/CLAUDE.local.md"],
    ["/work/CLAUDE.md", "instructions", "/work", null],
    ["/work/app/.claude/rules/api/errors.md", "rule", "/work/app", ".claude/rules/api/errors.md"],
    ["/work/app/.claude/agents/sql.md", "agent", "/work/app", ".claude/agents/sql.md"],
    ["/work/app/.claude/skills/ship/SKILL.md", "skill", "/work/app", ".claude/skills/ship/SKILL.md"],
    ["/home/dev/.claude/CLAUDE.md", "instructions", null, ".claude/CLAUDE.md"],
    ["/home/dev/.claude/agents/sql.md", "agent", null, ".claude/agents/sql.md"],
  ] as const;
  for (const [file, kind, folder, place] of cases) {
    const found = instructionFileAt(file, paths);
    assert.deepEqual([found?.kind, found?.folder, found?.path], [kind, folder, place], file);
    assert.deepEqual(found?.programs, claude);
  }
});

test("An AGENTS.md is read by other agents, and a README or a transcript by none", () => {
  assert.deepEqual(instructionFileAt("/work/app/AGENTS.md", paths)?.programs, ["codex", "copilot"]);
  for (const file of ["/work/app/README.md", "/home/dev/.claude/projects/x/notes.md", "/work/app/SKILL.md"])
    assert.equal(instructionFileAt(file, paths), null, file);
});

test("Frontmatter has a name, a description if it is sent at all, and conditions", () => {
  const none = { name: null, description: null, isConditional: false };
  assert.deepEqual(instructionFields("# Hello"), none);
  const skill = "---\nname: ship\ndescription: How to ship\n";
  assert.deepEqual(instructionFields(`${skill}---\n`), {
    name: "ship",
    description: "How to ship",
    isConditional: false,
  });
  assert.equal(instructionFields(`${skill}disable-model-invocation: true\n---\n`).description, null);
  assert.equal(instructionFields('---\npaths: ["src/**"]\n---\n').isConditional, true);
  assert.deepEqual(instructionFields("---\nname: [\n---\n"), none);
});
