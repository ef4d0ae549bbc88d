import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import fc from "fast-check";
import { freezeFixture } from "../../../../src/engine/bench/fixture.ts";
import type { SuitePaths } from "../../../../src/engine/bench/suite/folders.ts";
import { loadSuite, manifestName } from "../../../../src/engine/bench/suite/load-suite.ts";
import type { Suite } from "../../../../src/engine/bench/suite/suite.ts";

/** Any file content, including control characters, marks and lone surrogates. */
export const anyText = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength })
    .map((units) => String.fromCharCode(...units));

/** A folder that is removed after the test. */
export async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "purser-golden-")));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

export const fixtureFiles = {
  "src/sum.mjs": "export const sum = (one, other) => one - other;\n",
  "README.md": "# A sum\n",
};

export const agentText =
  "---\nname: backend\ndescription: Works on sums\nmemory: user\n---\n\nYou work on sums.\n";

/** A patch that makes the sum return the given body. */
export function sumPatch(body: string): string {
  const [before] = fixtureFiles["src/sum.mjs"].split("\n");
  const after = `export const sum = (one, other) => ${body};`;
  return `--- a/src/sum.mjs\n+++ b/src/sum.mjs\n@@ -1 +1 @@\n-${before ?? ""}\n+${after}\n`;
}

export const taskText = (check = "node .purser-check/backend/01-sum.mjs", more = "") =>
  `---\nid: backend-01-sum\nagent: backend\ntitle: A sum\nprompt: Make sum add up\ncheck: ${check}\n${more}---\n`;

/** A suite of one task with a solution and two wrong ones. */
export const suiteFiles: Readonly<Record<string, string>> = {
  "agents/backend.md": agentText,
  "tasks/backend/01-sum.md": taskText(
    undefined,
    "solution: 01-sum.solution.patch\nwrong:\n  - 01-sum.wrong-1.patch\n  - 01-sum.wrong-2.patch\n",
  ),
  "tasks/backend/01-sum.solution.patch": sumPatch("one + other"),
  "tasks/backend/01-sum.wrong-1.patch": sumPatch("5"),
  "tasks/backend/01-sum.wrong-2.patch": sumPatch("one * other"),
  "checks/shared/assert.mjs": `export { strict as assert } from "node:assert";\n`,
  "checks/backend/01-sum.mjs":
    'import { assert } from "../shared/assert.mjs";\nimport { sum } from "../../src/sum.mjs";\nassert.equal(sum(2, 3), 5);\nassert.equal(sum(2, 2), 4);\nassert.equal(sum(0, 1), 1);\n',
};

/** Writes a suite with its fixture, and freezes it. */
export async function writeSuite(
  t: TestContext,
  files: Readonly<Record<string, string>> = {},
): Promise<SuitePaths> {
  return await writeSuiteIn(await scratchFolder(t), files);
}

/** Writes the suite into a folder in the layout of purser's own. */
export async function writeSuiteIn(
  root: string,
  files: Readonly<Record<string, string>> = {},
): Promise<SuitePaths> {
  const places = {
    folder: path.join(root, "golden"),
    fixture: path.join(root, "fixture"),
    origin: "built-in",
  } as const;
  await writeFiles(places.folder, { ...suiteFiles, ...files });
  await writeFiles(places.fixture, fixtureFiles);
  await freezeFixture(places.fixture, path.join(places.folder, manifestName));
  return places;
}

export async function suiteAt(paths: SuitePaths): Promise<Suite> {
  const loaded = await loadSuite(paths);
  if (!loaded.ok) throw new Error(loaded.detail.text);
  return loaded.value;
}
