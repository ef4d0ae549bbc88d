import assert from "node:assert/strict";
import { test } from "node:test";
import { failedFiles, skippedTests, testCounts } from "./test-counts.ts";

const closing = (pass: number, fail: number, skipped: number) =>
  [
    `ℹ tests ${pass + fail + skipped}`,
    `ℹ pass ${pass}`,
    `ℹ fail ${fail}`,
    "ℹ cancelled 1",
    `ℹ skipped ${skipped}`,
  ].join("\n");

test("counts from the runner's closing lines, with cancelled tests as failed", () => {
  assert.deepEqual(testCounts(closing(3, 1, 2)), { passed: 3, failed: 2, skipped: 2 });
});

test("adds up several runs in one output", () => {
  assert.deepEqual(testCounts(`${closing(3, 0, 0)}\n${closing(4, 0, 1)}`), {
    passed: 7,
    failed: 2,
    skipped: 1,
  });
});

test("knows no counts where no test ran", () => {
  assert.equal(testCounts("All matched files use Prettier code style!"), undefined);
});

test("names skipped tests with their reasons", () => {
  const output = "✔ one (1.2ms)\n  ﹣ two (0.1ms) # SKIP\n﹣ three (0.1ms) # needs a user who is not root\n";
  assert.deepEqual(skippedTests(output), ["two", "three: needs a user who is not root"]);
});

test("names each file with a failed test once", () => {
  const failure = (line: number) => `test at test/host/eyes.test.ts:${line}:3\n✖ it (1.2ms)`;
  assert.deepEqual(failedFiles(`✖ failing tests:\n\n${failure(7)}\n\n${failure(9)}\n`), [
    "test/host/eyes.test.ts",
  ]);
  assert.deepEqual(failedFiles("✔ it says test at sea (1.2ms)\n"), []);
});
