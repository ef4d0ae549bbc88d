import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

// The whole procedure with few draws; the benchmark prints the actual figures.
test("Selection's simulation runs, and misses no aim by more than its few draws explain", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "test/bench/verdicts/lives-alone.ts",
    "--quick",
  ]);
  const aims = stdout.split("\n").filter((line) => /^(?:met|MISSED) /u.test(line));
  assert.equal(aims.length, 18, stdout);
  assert.ok(
    aims.every((line) => line.startsWith("met")),
    stdout,
  );
});
