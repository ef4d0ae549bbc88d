import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { createStories } from "../../../../src/engine/continuity/story/create-stories.ts";
import type { SessionStories } from "../../../../src/engine/continuity/story/session-stories.ts";

const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-stories-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const id = "11111111-2222-4333-8444-555555555555";
const folder = path.join(scratch, "claude/projects/-home-ann-shop");
const file = path.join(folder, `${id}.jsonl`);

function stories(named?: string): SessionStories {
  return createStories({
    env: { CLAUDE_CONFIG_DIR: path.join(scratch, "claude") },
    home: scratch,
    temporary: os.tmpdir(),
    rootOf: (at) => at,
    transcriptOf: () => named,
  });
}

function row(type: "user" | "assistant", content: unknown, more: object = {}): string {
  const common = { type, sessionId: id, cwd: "/home/ann/shop", gitBranch: "main" };
  return `${JSON.stringify({ ...common, message: { id: "m", role: type, content }, ...more })}\n`;
}

const read = (name: string, use: string) =>
  row("assistant", [
    { type: "tool_use", id: use, name: "Read", input: { file_path: `/home/ann/shop/${name}` } },
  ]);
const result = (use: string) => row("user", [{ type: "tool_result", tool_use_id: use, content: "text" }]);

test("a story grows with its file, is read again after a rewrite, and includes its subagents' files", async () => {
  mkdirSync(path.join(folder, id, "subagents"), { recursive: true });
  writeFileSync(file, row("user", "Mend it."));
  const all = stories();
  const told = async () => {
    const found = await all.of(id);
    assert.ok(found);
    const { asked, files, branch } = found.story.packet({
      sessionId: id,
      agent: "a",
      folder: null,
      commit: null,
    });
    return [asked.length, files.map((each) => each.path).toSorted(), branch];
  };
  assert.deepEqual(await told(), [1, [], "main"]);
  appendFileSync(file, read("a.ts", "1") + result("1") + row("user", "And test it."));
  assert.deepEqual(await told(), [2, ["a.ts"], "main"]);
  const subagent = path.join(folder, id, "subagents/agent-x1.jsonl");
  writeFileSync(subagent, read("b.ts", "2") + result("2"));
  assert.deepEqual(await told(), [2, ["a.ts", "b.ts"], "main"]);
  writeFileSync(file, row("user", "Something else."));
  assert.deepEqual(await told(), [1, ["b.ts"], "main"]);
});

test("a session is found by its hooks' transcript only if that is its agent's", async () => {
  writeFileSync(file, row("user", "Mend it."));
  const elsewhere = path.join(scratch, "elsewhere.jsonl");
  writeFileSync(elsewhere, row("user", "Not this."));
  assert.equal((await stories(file).of("another"))?.story.turns, 1);
  assert.equal(await stories(elsewhere).of("another"), null);
});

test("no id leads out of the agents' folders", async () => {
  writeFileSync(path.join(scratch, "claude/secret.jsonl"), row("user", "Secret."));
  const all = stories();
  for (const bad of ["../secret", "../../secret", "..", ".", "", "a/b", "a\\b", "a\0b"])
    assert.equal(await all.of(bad), null, JSON.stringify(bad));
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (each) => {
      if (each !== id) assert.equal(await all.of(each), null);
    }),
    { numRuns: 30 },
  );
});

test("a session that is not written yet is found later", async () => {
  rmSync(file);
  const all = stories();
  assert.equal(await all.of(id), null);
  writeFileSync(file, row("user", "Now."));
  assert.equal((await all.of(id))?.story.turns, 1);
});
