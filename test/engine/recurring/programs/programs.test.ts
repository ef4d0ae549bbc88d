import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { ProgramEnd } from "../../../../src/engine/bench/execute/run-program.ts";
import { handoverWords } from "../../../../src/engine/continuity/handover/launch.ts";
import { claudeSettings } from "../../../../src/engine/recurring/programs/claude.ts";
import { agentPrograms } from "../../../../src/engine/recurring/programs/programs.ts";
import { readAllowed } from "../../../../src/engine/recurring/programs/allowed.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { recurringAgent } from "../wake/support/agent.ts";

const agent = recurringAgent("keeper");
const invocation = {
  agent,
  prompt: "--dangerously-skip-permissions",
  resume: null,
  sessionId: "11111111-1111-4111-8111-111111111111",
  turns: 7,
  desk: "/desk",
  settings: "/settings.json",
  cache: "5m" as const,
  mcpConfig: null,
};
const ended = (output: string, exitCode: number | null = 0): ProgramEnd => ({
  how: "exit",
  exitCode,
  output,
  durationMs: 1,
});

describe("the programs that can be woken", () => {
  for (const word of handoverWords)
    it(`${word} takes the prompt as one word, never an option, and the session to continue`, () => {
      const program = agentPrograms[word];
      const fresh = program.arguments(invocation);
      assert.ok(!fresh.includes("--dangerously-skip-permissions"));
      assert.ok(fresh.includes(" --dangerously-skip-permissions"));
      const resumed = program.arguments({ ...invocation, resume: "s1" });
      assert.match(resumed.join(" "), /(?:--resume[= ]|resume )s1/u);
      for (const dangerous of [
        "--yolo",
        "bypassPermissions",
        "--allow-all-tools",
        "--dangerously-bypass-approvals-and-sandbox",
        "danger-full-access",
      ])
        assert.ok(!fresh.join(" ").includes(dangerous), dangerous);
    });

  it("of Codex has a list of skills and all its tools only if the agent's file requests it", () => {
    const argumentsOf = (...lines: string[]) =>
      agentPrograms.codex.arguments({ ...invocation, agent: recurringAgent("keeper", ...lines) }).join(" ");
    assert.match(argumentsOf(), /skills\.include_instructions=false/u);
    assert.match(argumentsOf(), /--disable multi_agent .*features\.view_image=false/u);
    assert.doesNotMatch(argumentsOf("skills: all"), /skills\./u);
    assert.doesNotMatch(argumentsOf("tools: all"), /multi_agent|view_image|request_user_input/u);
  });

  it("give any output without a throw, and never report a failure as success", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...handoverWords),
        fc.string(),
        fc.constantFrom(0, 1, null),
        (word, output, code) => {
          const { end } = agentPrograms[word].read(ended(output, code));
          if (code !== 0 && word !== "claude") assert.notEqual(end.kind, "ended");
        },
      ),
    );
    assert.equal(agentPrograms.claude.read(ended("Segmentation fault", null)).end.kind, "failed");
  });

  it("distinguish a missing session from every other failure", () => {
    const gone = {
      claude: "Warning: old.\nNo conversation found with session ID: s1",
      codex: "Error: thread/resume: thread/resume failed: no rollout found for thread id s1 (code -32600)",
      copilot: "Error: No session, task, or name matched 's1'.",
      gemini: "Error resuming session: No previous sessions found for this project.",
    } as const;
    for (const word of handoverWords) {
      assert.ok(agentPrograms[word].isGone(ended(gone[word], 1)), word);
      assert.ok(!agentPrograms[word].isGone(ended(gone[word], 0)), word);
      assert.ok(!agentPrograms[word].isGone(ended("429 usage limit reached", 1)), word);
    }
  });
});

describe("what an agent's file allows", () => {
  const skill = (name: string, description: string) =>
    `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`;

  it("turns off every other skill, and the program's own with their tool if none is selected", (t) => {
    const folder = scratchFolder(t);
    writeTree(folder, {
      "config/skills/tides/SKILL.md": skill("tides", "When the sea is high."),
      "config/skills/broken/SKILL.md": "no head",
      "project/.claude/skills/lamps/SKILL.md": skill("lamps", "How lamps burn."),
      "project/CLAUDE.md": "Be brief.",
      "project/.mcp.json": '{"mcpServers": {"sea": {"command": "sea"}, "sky": {"command": "sky"}}}',
    });
    const places = { folder: `${folder}/project`, config: `${folder}/config`, home: folder };
    const of = (...lines: string[]) => {
      const own = recurringAgent("keeper", ...lines);
      const allowed = readAllowed(own, places);
      assert.ok(allowed.ok, allowed.ok ? "" : allowed.detail.text);
      return { ...allowed.value, settings: claudeSettings(own, allowed.value.ownSkills) };
    };
    const none = of();
    assert.deepEqual(none.settings, {
      skillOverrides: { broken: "off", lamps: "off", tides: "off" },
      disableBundledSkills: true,
      enableWorkflows: false,
    });
    assert.deepEqual(
      [none.skills, none.skillBytes, none.hasInstructions, none.mcpConfig],
      [[], 0, true, null],
    );
    const one = of("skills: [tides]", "mcp: [sea]", "instructions: none");
    assert.deepEqual(one.settings, {
      skillOverrides: { broken: "off", lamps: "off" },
      disableBundledSkills: true,
      enableWorkflows: false,
      claudeMdExcludes: ["**/*"],
    });
    assert.deepEqual([one.skills, one.skillBytes, one.hasInstructions], [["tides"], 31, false]);
    assert.equal(one.mcpConfig, '{"mcpServers":{"sea":{"command":"sea"}}}');
    const bundled = of("skills: [code-review]");
    assert.deepEqual([bundled.skills, bundled.skillBytes], [["code-review"], null]);
    assert.ok(!("disableBundledSkills" in bundled.settings));
    assert.deepEqual(of("skills: all").settings, {});
    // Codex does not distinguish skills, but can disable all of them.
    const codex = (...lines: string[]) => {
      const own = readAllowed({ ...recurringAgent("keeper", ...lines), program: "codex" }, places);
      return own.ok ? own.value.skills : undefined;
    };
    assert.deepEqual([codex(), codex("skills: all")], [[], null]);
    const missing = readAllowed(recurringAgent("keeper", "mcp: [moon]"), places);
    assert.match(missing.ok ? "" : missing.detail.text, /no MCP server moon is configured/u);
  });
});
