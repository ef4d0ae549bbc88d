import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { failureIn } from "../../../../src/engine/continuity/story/failure.ts";

const outputs: readonly (readonly [output: string, text: string])[] = [
  [
    "> test\n\nTypeError: total is not a function\n    at sum (src/sum.ts:3:1)\n1 failed",
    "TypeError: total is not a function",
  ],
  [
    "src/a.ts(3,7): error TS2322: Type 'string' is not assignable.\n",
    "src/a.ts(3,7): error TS2322: Type 'string' is not assignable.",
  ],
  [
    'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad value',
    "ValueError: bad value",
  ],
  ["npm error code ELIFECYCLE\nsh: vitest: command not found", "sh: vitest: command not found"],
  ["fatal: not a git repository", "fatal: not a git repository"],
  ["not ok 3 - adds two numbers\n  ---", "not ok 3 - adds two numbers"],
  ["String to replace not found in file.", "String to replace not found in file."],
  ["Exit code 1\nsomething happened here", "something happened here"],
];

test("the most descriptive error line is found in the outputs of many tools", () => {
  for (const [output, text] of outputs) assert.equal(failureIn(output, "x")?.text, text);
  assert.equal(failureIn("\n  \n--- 12 ---\n", "x"), null);
});

test("errors that differ in numbers, times, addresses and folders only are the same; other names and programs are not", () => {
  const signature = (line: string, subject = "npm test") => failureIn(line, subject)?.signature;
  const one = signature("Error: 3 of 17 rows at 0x7ffe12 in /home/ann/shop/src/a.ts");
  assert.equal(signature("Error: 4 of 90 rows at 0x9a0012 in /work/bob/shop/src/a.ts"), one);
  assert.notEqual(signature("Error: 3 of 17 columns at 0x7ffe12 in /home/ann/shop/src/a.ts"), one);
  assert.notEqual(signature("Error: 3 of 17 rows at 0x7ffe12 in /home/ann/shop/src/a.ts", "cargo test"), one);
  assert.notEqual(
    signature("TypeError: part4 is not a function"),
    signature("TypeError: part7 is not a function"),
  );
});

test("files named in an output are listed, without those of packages", () => {
  const output =
    "Error: bad\n  at sum (src/sum.ts:3:1)\n  at /home/ann/shop/lib/run.js:9\n  at node_modules/x/y.js:1";
  assert.deepEqual(failureIn(output, "x")?.files, ["src/sum.ts", "/home/ann/shop/lib/run.js"]);
});

test("any output is read in linear time, and gives one short line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 9000 }), (output) => {
      const found = failureIn(output, "x");
      assert.ok(found === null || (found.text.length <= 200 && !found.text.includes("\n")));
    }),
  );
  for (const part of ["a/", "/a", "Error ", "at ", "\\x.", "a.b/"]) failureIn(part.repeat(100_000), "x");
});
