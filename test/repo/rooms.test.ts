import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import rooms from "../../scripts/rooms.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "../..");

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replaceAll(path.sep, "/"));
}

it("every room of the engine has a place in the order that lint checks", () => {
  const found = new Set(filesBelow("src/engine").flatMap((file) => /^([^/]+)\//u.exec(file)?.[1] ?? []));
  assert.ok(found.size > 10);
  assert.deepEqual(
    [...found].filter((room) => !rooms.includes(room)),
    [],
  );
});

it("tests are in the folders that their sources are in", () => {
  const folders = ["engine", "extension"].flatMap((layer) =>
    filesBelow(`test/${layer}`)
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `${layer}/${path.posix.dirname(file)}`),
  );
  // Crash rounds of the ledger, with their own programs, and test helpers.
  const own = ["engine/ledger/crash", "engine/support"];
  const homeless = folders.filter(
    (folder) => !own.includes(folder) && !existsSync(path.join(root, "src", folder)),
  );
  assert.deepEqual([...new Set(homeless)], []);
});
