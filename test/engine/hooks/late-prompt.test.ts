import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { maxLateMs, writeLatePrompt, takeLatePrompts } from "../../../src/engine/hooks/server.ts";
import { scratchFolder } from "../support/scratch.ts";

const noProblem = (problem: string) => assert.equal(problem, "");
const at = 1_800_000_000_000;
const prompt = { caller: "gemini", headers: [], body: "{}" } as const;

test("Prompts are taken once, oldest first; damaged files are removed and reported", async (t) => {
  const folder = path.join(scratchFolder(t), "prompts");
  const problems: string[] = [];
  const take = () =>
    takeLatePrompts(folder, { now: at, onProblem: (problem) => void problems.push(path.basename(problem)) });
  assert.deepEqual(await take(), []);
  writeLatePrompt(folder, { ...prompt, id: "b", at: at - 5 });
  writeLatePrompt(folder, { ...prompt, id: "a", at: at - 9 });
  assert.equal(statSync(folder).mode & 0o077, 0);
  writeFileSync(path.join(folder, `${at}-c.ndjson`), '{"caller":"nobody"}');
  assert.deepEqual(
    (await take()).map(({ id }) => id),
    ["a", "b"],
  );
  assert.deepEqual(problems, [`${at}-c.ndjson is not what purser writes, and was removed`]);
  assert.deepEqual([await take(), readdirSync(folder)], [[], []]);
});

test("The text of a prompt that no service takes is removed: by the next one, and by the service unread", async (t) => {
  const folder = path.join(scratchFolder(t), "prompts");
  writeLatePrompt(folder, { ...prompt, id: "old", at });
  writeLatePrompt(folder, { ...prompt, id: "new", at: at + maxLateMs });
  assert.deepEqual(readdirSync(folder), [`${at + maxLateMs}-new.ndjson`]);
  const now = at + 3 * maxLateMs;
  assert.deepEqual(await takeLatePrompts(folder, { now, onProblem: noProblem }), []);
  assert.deepEqual(readdirSync(folder), []);
});
