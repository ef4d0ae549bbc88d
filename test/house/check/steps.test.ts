import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { steps } from "./steps.ts";
import type { Step } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));

/** The test files that a step runs, itself or by a script of `package.json`. */
function filesOf({ command }: Step): readonly string[] {
  const script = command[0] === "npm" ? (scripts[command.at(-1) ?? ""] ?? "") : "";
  const patterns = [...command, ...script.matchAll(/[\w./*!(|)-]+\.test\.ts/gu)].map(String);
  return patterns
    .filter((pattern) => pattern.endsWith(".test.ts"))
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll(path.sep, "/"));
}

test("each test file is run by one step", () => {
  const run = steps.flatMap(filesOf);
  const there = globSync("test/**/*.test.ts", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
  assert.deepEqual(run.toSorted(), there.toSorted());
});

test("a step needs only steps that begin before it", () => {
  const names = steps.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const [index, { needs = [] }] of steps.entries())
    for (const need of needs) assert.ok(names.slice(0, index).includes(need), need);
});
