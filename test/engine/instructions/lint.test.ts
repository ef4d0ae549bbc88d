import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { readSmallText } from "../../../src/engine/base/files.ts";
import { findInstructions } from "../../../src/engine/instructions/instruction-file.ts";
import { lintFile, type InstructionText } from "../../../src/engine/instructions/lint.ts";
import { scratchFolder } from "../support/scratch.ts";
import { writeTree } from "../support/write-tree.ts";

const rule = "Cut every gear from brass, and check the number of its teeth before you polish it.\n";

/** Findings per file, by its path in the scratch folder. */
async function findings(t: TestContext, tree: Readonly<Record<string, string>>) {
  const folder = scratchFolder(t);
  writeTree(folder, tree);
  const [project, root] = [path.join(folder, "orrery"), path.join(folder, "home", ".claude")];
  const found = await findInstructions({ folders: [project], roots: [root] });
  const read = (file: string) => Promise.resolve(readSmallText(file, 1e6));
  const all = found.map((each): InstructionText => ({ ...each, text: readSmallText(each.file, 1e6) ?? "" }));
  const ports = { read, home: path.join(folder, "home"), folders: [project], charactersPerToken: [] };
  const entries: [string, string[]][] = [];
  for (const each of all)
    entries.push([
      path.relative(folder, each.file),
      (await lintFile(each, all, ports)).map(({ kind, message }) => `${kind}: ${message.text}`),
    ]);
  return Object.fromEntries(entries);
}

test("The files that agents read automatically are found, the widest first, and no others", async (t) => {
  const found = await findings(t, {
    "home/.claude/CLAUDE.md": "Mine.",
    "home/.claude/skills/polish/SKILL.md": "Polish.",
    "home/.claude/projects/x/CLAUDE.md": "No instructions.",
    "orrery/CLAUDE.md": "Root.",
    "orrery/AGENTS.md": "Root.",
    "orrery/.claude/rules/brass.md": "Brass.",
    "orrery/.claude/agents/cutter.md": "Cutter.",
    "orrery/.purser/agents/oiler.md": "Oiler.",
    "orrery/.purser/tasks/1.md": "A task.",
    "orrery/gears/CLAUDE.md": "Gears.",
    "orrery/node_modules/x/CLAUDE.md": "Theirs.",
    "orrery/README.md": "For people.",
  });
  assert.deepEqual(Object.keys(found), [
    "home/.claude/CLAUDE.md",
    "orrery/.claude/rules/brass.md",
    "orrery/AGENTS.md",
    "orrery/CLAUDE.md",
    "orrery/gears/CLAUDE.md",
    "home/.claude/skills/polish/SKILL.md",
    "orrery/.claude/agents/cutter.md",
    "orrery/.purser/agents/oiler.md",
  ]);
});

test("A text is repeated where the same sessions get both files, and only in the narrower one", async (t) => {
  const found = await findings(t, {
    "home/.claude/CLAUDE.md": rule,
    "orrery/CLAUDE.md": `# Orrery\n\n${rule}`,
    "orrery/AGENTS.md": rule,
    "orrery/gears/AGENTS.md": rule,
    "orrery/.claude/rules/some.md": `---\npaths: gears/**\n---\nOil the axle after every cut of the wheel, and let it dry for a whole day.\n`,
    "orrery/gears/CLAUDE.md": "Oil the axle after every cut of the wheel, and let it dry for a whole day.\n",
  });
  assert.deepEqual(found, {
    "home/.claude/CLAUDE.md": [],
    "orrery/.claude/rules/some.md": [],
    "orrery/AGENTS.md": [],
    "orrery/CLAUDE.md": ["repeated: This is said in your own CLAUDE.md, line 1, too: sessions get it twice."],
    "orrery/gears/AGENTS.md": ["repeated: This is said in ../AGENTS.md, line 1, too: sessions get it twice."],
    "orrery/gears/CLAUDE.md": [],
  });
});

test("A recurring agent's prompts are checked like other instructions", async (t) => {
  const found = await findings(t, {
    "orrery/CLAUDE.md": rule,
    "orrery/.purser/agents/oiler.md": `---\nprogram: claude\n---\n# Wake\n\nToday is 2026-11-24.\n\n${rule}`,
  });
  const kinds = found["orrery/.purser/agents/oiler.md"]?.map((each) => each.split(":")[0]);
  assert.deepEqual(kinds, ["date", "repeated"]);
});

test("Claude Code's imports are in the same sessions", async (t) => {
  const found = await findings(t, {
    "orrery/AGENTS.md": rule,
    "orrery/CLAUDE.md": `@AGENTS.md\n\n${rule}`,
  });
  assert.equal(found["orrery/CLAUDE.md"]?.length, 1);
});

test("A file is looked up next to the instructions and in the project only", async (t) => {
  const code = Array.from({ length: 12 }, (_, line) => `cut(${line});`).join("\n");
  const block = (name: string) => `\`${name}\`:\n\n\`\`\`\n${code}\n\`\`\`\n`;
  const found = await findings(t, {
    "secret.ts": code,
    "orrery/src/cut.ts": code,
    "orrery/gears/teeth.ts": code,
    "orrery/gears/CLAUDE.md": `${block("src/cut.ts")}\n${block("teeth.ts")}\n${block("../../secret.ts")}`,
    "orrery/CLAUDE.md": block("CLAUDE.md"),
  });
  assert.deepEqual(found["orrery/gears/CLAUDE.md"], [
    "inlined-file: 12 lines of src/cut.ts are repeated here, and sent each time.",
    "inlined-file: 12 lines of teeth.ts are repeated here, and sent each time.",
  ]);
  assert.deepEqual(found["orrery/CLAUDE.md"], []);
});

test("Links are not followed, so that a circle of them ends", async (t) => {
  const folder = scratchFolder(t);
  writeTree(folder, { "a/CLAUDE.md": "A." });
  symlinkSync(folder, path.join(folder, "a", "again"));
  const found = await findInstructions({ folders: [folder], roots: [] });
  assert.deepEqual(
    found.map(({ file }) => path.relative(folder, file)),
    [path.join("a", "CLAUDE.md")],
  );
});
