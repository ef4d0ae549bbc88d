import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { foreignTwins, fullFolders, repeatingFiles, strangeFolders } from "./rooms.ts";

const root = path.resolve(import.meta.dirname, "../..");

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|mjs|js|yaml)$/u.test(file))
    .map((file) => file.replaceAll(path.sep, "/"));
}

for (const folder of ["src", "test"])
  describe(`every folder of ${folder}`, () => {
    const files = filesBelow(folder);

    it("holds no more files than a person takes in", () => {
      assert.ok(files.length > 100, "files are found");
      assert.deepEqual(fullFolders(files), []);
    });

    it("is not repeated by the names of its files", () => {
      assert.deepEqual(repeatingFiles(files), []);
    });
  });

describe("the folders of src", () => {
  const files = filesBelow("src");

  it("share names of files only for the same role", () => {
    assert.deepEqual(foreignTwins(files), []);
  });

  it("are called after features in every layer", () => {
    assert.deepEqual(strangeFolders(files), []);
  });

  it("have their place in the order that lint holds", () => {
    const config = readFileSync(path.join(root, "test/house/eslint.config.mjs"), "utf8");
    const listed = /export const rooms = \[(?<names>[^\]]*)\]/u.exec(config)?.groups?.["names"] ?? "";
    const rooms = new Set([...listed.matchAll(/"([a-z]+)"/gu)].map(([, room]) => room));
    const there = new Set(files.flatMap((file) => /^engine\/([^/]+)\//u.exec(file)?.[1] ?? []));
    assert.deepEqual(
      [...there].filter((room) => !rooms.has(room)),
      [],
    );
  });
});

it("tests are in the folders that their sources are in", () => {
  const strange = ["engine", "extension"].flatMap((layer) =>
    filesBelow(`test/${layer}`)
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `${layer}/${path.posix.dirname(file)}`),
  );
  // Crash rounds of the ledger, with their own programs, and test helpers.
  const own = ["engine/ledger/crash", "engine/support"];
  const homeless = strange.filter(
    (folder) => !own.includes(folder) && !existsSync(path.join(root, "src", folder)),
  );
  assert.deepEqual([...new Set(homeless)], []);
});

describe("what folders are held to", () => {
  it("a file must not repeat its folder's word, unless the folder is called after it", () => {
    const repeating = [
      "extension/bench/bench-panel.ts",
      "engine/rules/rule-act.ts",
      "engine/ledger/store/ledger-tables.ts",
      "engine/bench/suite/load-suite.ts",
      "bench/live/live-bytes.ts",
      "host/eyes/eyes-bench.test.ts",
      "house/check/check-run.mjs",
    ];
    const fine = [
      "engine/ledger/ledger.ts",
      "engine/bench/plan/plan.ts",
      "engine/ledger/thread/ledger-worker.ts",
      "engine/rules/needs.ts",
      "engine/verdict/bench-rounds.ts",
      "agents/scenarios/scenarios.test.ts",
      "host/try/try.mjs",
    ];
    assert.deepEqual(repeatingFiles([...repeating, ...fine]), repeating);
  });

  it("a name is one feature's own, unless it says a role", () => {
    const twins = ["engine/rules/line-diff.ts", "engine/hooks/install/line-diff.ts"];
    const fine = [
      "extension/bench/panel.ts",
      "extension/rules/panel.ts",
      "engine/ledger/questions/breakdown.ts",
      "webview/ledger/breakdown.ts",
    ];
    assert.deepEqual(foreignTwins([...twins, ...fine]), [twins.join(", ")]);
  });

  it("a folder of a layer is called after a feature", () => {
    const files = ["extension/bench/panel.ts", "extension/benches/panel.ts", "engine/cli/status/print.ts"];
    assert.deepEqual(strangeFolders(files), ["extension/benches", "cli/status"]);
  });

  it("a folder holds twenty files", () => {
    const files = Array.from({ length: 21 }, (_, index) => `engine/base/file-${index}.ts`);
    assert.deepEqual([fullFolders(files), fullFolders(files.slice(1))], [["engine/base (21)"], []]);
  });
});
