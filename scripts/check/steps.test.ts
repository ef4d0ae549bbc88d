import assert from "node:assert/strict";
import { globSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { suites } from "../tasks/test.ts";
import { steps } from "./steps.ts";
import type { Step } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../..");
/** The patterns of the test files that a step runs, itself or by a suite of `scripts/tasks/test.ts`. */
function patternsOf({ command }: Step): readonly string[] {
  const suite =
    command[1] === "scripts/tasks/test.ts" ? suites.find(({ name }) => name === command[2]) : null;
  return [...command, ...(suite?.run ?? [])].filter((word) => word.endsWith(".test.ts"));
}

const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));

test("each test file is run by one step", () => {
  // The parts of a suite have the same patterns.
  const patterns = new Set(steps.flatMap(patternsOf));
  const run = [...patterns].flatMap(filesOf);
  assert.deepEqual(run.toSorted(), filesOf("{test,scripts}/**/*.test.ts").toSorted());
});

test("a step needs only steps that begin before it", () => {
  const names = steps.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const [index, { needs = [] }] of steps.entries())
    for (const need of needs) assert.ok(names.slice(0, index).includes(need), need);
});
