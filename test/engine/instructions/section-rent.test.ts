import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { rentsOf, type WeekOfUse } from "../../../src/engine/instructions/section-rent.ts";
import {
  instructionFileAt,
  type InstructionFile,
} from "../../../src/engine/instructions/instruction-file.ts";

const paths = { folders: ["/work/app"], roots: ["/home/dev/.claude"] };
const week: WeekOfUse = {
  sessions: [
    { cwd: "/work/app", name: "claude-code", count: 30 },
    { cwd: "/work/app/api", name: "claude-code", count: 11 },
    { cwd: "/work/application", name: "claude-code", count: 5 },
    { cwd: "/work/app", name: "codex", count: 7 },
    { cwd: null, name: "claude-code", count: 2 },
  ],
  subagents: [{ cwd: "/work/app", name: "sql", count: 9 }],
  skills: [{ cwd: "/work/app", name: "ship", count: 3 }],
  charactersPerToken: [],
  usdPerToken: 0.00001,
};

function fileAt(path: string): InstructionFile {
  const found = instructionFileAt(path, paths);
  assert.ok(found !== null);
  return found;
}

const text =
  "# App\n\nIntro.\n\n## Tests\n\nRun `npm test` before you say that you are done.\n\n## Style\n\nShort.\n";

test("Sessions of a project's folder and below pay for its instructions, and for each section", () => {
  const rents = rentsOf(text, fileAt("/work/app/CLAUDE.md"), week);
  assert.deepEqual(
    rents.map(({ part, line, title, times, per }) => [part, line, title, times, per]),
    [
      ["file", 0, null, 41, "sessions"],
      ["section", 0, "App", 41, "sessions"],
      ["section", 4, "Tests", 41, "sessions"],
      ["section", 8, "Style", 41, "sessions"],
    ],
  );
  const [costly] = rents;
  assert.ok(costly !== undefined && costly.usd !== null);
  assert.ok(Math.abs(costly.usd - costly.tokens * 41 * 0.00001) < 1e-12);
  assert.equal(rentsOf(text, fileAt("/work/app/CLAUDE.md"), { ...week, usdPerToken: null })[0]?.usd, null);
  const [whole, app, tests, style] = rents.map(({ tokens }) => tokens);
  assert.equal(whole, app);
  assert.ok(tests !== undefined && style !== undefined && tests > style && style > 0);
});

test("Every session of the user pays for files in their own folder, and an AGENTS.md is Codex's", () => {
  const [user] = rentsOf(text, fileAt("/home/dev/.claude/CLAUDE.md"), week);
  assert.equal(user?.times, 48);
  const [agents] = rentsOf(text, fileAt("/work/app/AGENTS.md"), week);
  assert.equal(agents?.times, 7);
});

test("An agent's runs pay for its definition, uses for a skill, and every session for the skill's description", () => {
  const [agent] = rentsOf(text, fileAt("/work/app/.claude/agents/sql.md"), week);
  assert.deepEqual([agent?.times, agent?.per], [9, "runs"]);
  const skill = "---\nname: ship\ndescription: How to ship the app\n---\n# Steps\n\nPush.\n";
  const rents = rentsOf(skill, fileAt("/work/app/.claude/skills/ship/SKILL.md"), week);
  assert.deepEqual(
    rents.map(({ part, times, per }) => [part, times, per]),
    [
      ["description", 41, "sessions"],
      ["file", 3, "uses"],
      ["section", 3, "uses"],
    ],
  );
});

test("A rule with paths is in at most that many, and without a ledger the counts are unknown", () => {
  const rule = fileAt("/work/app/.claude/rules/sql.md");
  assert.equal(rentsOf('---\npaths: ["**/*.sql"]\n---\nBind.\n', rule, week)[0]?.isAtMost, true);
  assert.deepEqual(
    rentsOf("Bind.\n", rule, null).map(({ times, isAtMost }) => [times, isAtMost]),
    [[null, false]],
  );
});

test("In any text, no part costs more than the whole", () => {
  const line = fc.constantFrom("# One", "## Two", "### Three", "", "words of a sentence", "```", "- item");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const [whole, ...sections] = rentsOf(lines.join("\n"), fileAt("/work/app/CLAUDE.md"), week);
      assert.ok(whole !== undefined);
      for (const { tokens } of sections) assert.ok(tokens <= whole.tokens);
    }),
  );
});
