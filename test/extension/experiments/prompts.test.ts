import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { copyOfPrompt, promptOffers } from "../../../src/extension/experiments/prompts.ts";

const project = mkdtempSync(path.join(tmpdir(), "purser-prompts-"));
after(() => rmSync(project, { recursive: true }));
const t = (message: string, ...values: readonly unknown[]) =>
  message.replace(/\{(\d)\}/gu, (_, index) => String(values[Number(index)]));
const definition = "---\nname: backend\n---\nBe brief.\n";
const write = (name: string, text: string) => {
  const file = path.join(project, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

test("offers the agent definitions of a project, its copies and its proposals, and nothing else", async () => {
  assert.deepEqual(await promptOffers([project]), []);
  const file = write(".claude/agents/backend.md", definition);
  write(".claude/agents/notes.md", "No frontmatter.");
  write(".claude/agents/long.md", `${definition}${"x".repeat(200_000)}`);
  write(".claude/agents/backend.txt", definition);
  write(".purser/proposals/backend-1.receipt.md", definition);
  write(".purser/proposals/backend-1.md", definition);
  const found = await promptOffers([project, path.join(project, "missing")]);
  assert.deepEqual(
    found.map(({ name }) => name),
    [".claude/agents/backend.md", ".purser/proposals/backend-1.md"],
  );
  assert.deepEqual(found[0], { agent: "backend", file, name: ".claude/agents/backend.md", definition });
});

test("copies a prompt beside earlier copies, and says why it cannot", async () => {
  const source = write(".claude/agents/backend.md", definition);
  const made = await Promise.all([1, 2].map(() => copyOfPrompt({ agent: "backend", source, project }, t)));
  const names = made.map((each) => (each.ok ? path.relative(project, each.value) : each.reason)).sort();
  assert.deepEqual(names, [".purser/prompts/backend-2.md", ".purser/prompts/backend-3.md"]);
  assert.equal(readFileSync(path.join(project, ".purser/prompts/backend-3.md"), "utf8"), definition);
  const failed = await copyOfPrompt({ agent: "../backend", source: `${source}x`, project }, t);
  assert.ok(!failed.ok);
  assert.match(failed.detail.text, /prompts \(ENOENT\)/u);
});
