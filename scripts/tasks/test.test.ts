import assert from "node:assert/strict";
import { it } from "node:test";
import { suiteByFile } from "./test.ts";

it("finds the suite of a test file by its path", () => {
  const suiteOf = suiteByFile([
    "test/engine/cli/args.test.ts",
    "test/engine/cli/language.process.test.ts",
    "test/webview/every-page.test.ts",
    "scripts/tasks/test.test.ts",
    "test/engine/no-such-file.test.ts",
  ]);
  assert.deepEqual(
    [...suiteOf.values()].map((suite) => suite?.name ?? null),
    ["unit", "process", "webview", "unit", null],
  );
});
