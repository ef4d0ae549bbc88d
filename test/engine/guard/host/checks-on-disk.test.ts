import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { checksOnDisk } from "../../../../src/engine/guard/host/after-calls.ts";

test("a folder's checks come before those of its project, and are read again later", async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), "purser-checks-"));
  t.after(() => rmSync(root, { recursive: true }));
  const web = path.join(root, "web");
  mkdirSync(path.join(web, "Makefile"), { recursive: true });
  const write = (folder: string, scripts: object) =>
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ scripts }));
  write(root, { lint: "x", test: "y" });
  write(web, { test: "z" });
  let now = 0;
  const problems: string[] = [];
  const checksOf = checksOnDisk({
    projectOf: () => root,
    elapsed: () => now,
    onProblem: (message) => problems.push(message),
  });
  const commands = async (folder: string | null) => (await checksOf(folder)).map(({ command }) => command);
  assert.deepEqual(await commands(web), ["npm test", "npm run lint"]);
  write(web, { test: "z", lint: "w" });
  assert.deepEqual(await commands(web), ["npm test", "npm run lint"]);
  rmSync(path.join(root, "package.json"));
  now = 60_000;
  assert.deepEqual(await commands(web), ["npm test", "npm run lint"]);
  assert.deepEqual(await commands(root), []);
  assert.deepEqual(await commands(path.join(root, "gone", "\u0007")), []);
  assert.deepEqual(await commands("relative"), []);
  assert.deepEqual(await commands(null), []);
  assert.deepEqual(problems, []);
});
