import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  compressOutput,
  type AboutOutput,
  type Compressed,
} from "../../../../../src/engine/guard/output/compressors/compress.ts";
import { isNotice, firstStray, narrowed, statesOf, restoredLines } from "./support/lines.ts";
import { realOutputs } from "./support/corpus.ts";
import { dataOf } from "./support/needles.ts";
import { restoredJson } from "./support/restored.ts";
import { mustSurvive } from "./support/telling-lines.ts";

const outputs = realOutputs();
const anyOutput = fc.nat(outputs.length - 1);
const realLines = outputs.flatMap(({ text }) => statesOf(text));

/** The commands of the real outputs, and others that decide what is read. */
const command = fc.oneof(
  fc.constantFrom(...outputs.map(({ words }) => words)),
  fc.constantFrom(
    null,
    [],
    [["cat", "a"]],
    [["npm", "test"]],
    [["./run.sh"]],
    [["docker", "build", "."]],
    [["docker", "logs", "a"]],
    [["gradle", "test"]],
    [["git", "diff", "--stat"]],
    [["make"], ["tail", "-50"]],
  ),
);
const about: fc.Arbitrary<AboutOutput> = fc.record({ command, isFailure: fc.boolean() });

/** Text with what terminals and formats are made of. */
const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "\u001B[31m",
    "\u001B[",
    "\u001B]8;;x\u0007",
    "\r",
    "\r\n",
    "\b",
    "\t",
    "…",
    "🌊",
    "[",
    "{",
    '"',
    "\\",
    "]",
    "}",
  ),
  fc.constantFrom(
    "✓ a",
    "ok 1 - a",
    "  ---",
    "  ...",
    "error: a",
    "|",
    "+++",
    "    at a (b:1:2)",
    "diff --git a b",
    "100%",
  ),
  fc.constantFrom(...realLines),
);
const anyText = fc
  .array(fc.tuple(piece, fc.constantFrom("", "\n", "\n", " ")), { minLength: 20, maxLength: 150 })
  .map((pieces) => pieces.flat().join(""));

/** Lines that tell an error, each with a number of its own. */
const errorLine = fc
  .tuple(
    fc.constantFrom(
      (id: number) => `error: berth ${id} is not there`,
      (id: number) => `src/berth.ts:${id}:7: error: no such berth`,
      (id: number) =>
        `src/berth.ts(${id},7): error TS2322: Type 'string' is not assignable to type 'number'.`,
      (id: number) => `TypeError: berth ${id} is undefined`,
      (id: number) => `E       assert ${id} == 6`,
      (id: number) => `FAILED tests/test_berth.py::test_${id} - assert 5 == 6`,
      (id: number) => `--- FAIL: TestBerth${id} (0.00s)`,
      (id: number) => `not ok ${id} - weighs a berth`,
      (id: number) => `  ✖ weighs berth ${id}`,
      (id: number) => `    ✕ weighs berth ${id} (2 ms)`,
      (id: number) => ` FAIL  test/berth-${id}.test.ts > weighs`,
      (id: number) => `warning: berth ${id} is deprecated`,
      (id: number) => `npm warn deprecated berth@${id}.0.0: no longer supported`,
      (id: number) => `[ERROR] Failed to execute goal ${id}`,
      (id: number) => `make: *** [Makefile:${id}: berth.o] Error 1`,
      (id: number) => `thread 'main' (${id}) panicked at src/main.rs:4:5:`,
      (id: number) => `test result: FAILED. ${id} passed; 1 failed; 0 ignored`,
      (id: number) => `=========== ${id} failed, 196 passed in 0.86s ===========`,
    ),
    fc.integer({ min: 700, max: 99_999 }),
  )
  .map(([line, id]) => line(id));

/** Numbers keep a counterexample short. */
function outputAt(index: number) {
  const output = outputs[index];
  assert.ok(output !== undefined);
  return output;
}

function remainingLines({ text }: Compressed): string[] {
  return restoredLines(text)
    .flatMap((line) => line.split("\r"))
    .filter((line) => !isNotice(line))
    .map(narrowed);
}

describe("any output", () => {
  it("becomes at least a tenth smaller or does not change, and never twice", () => {
    fc.assert(
      fc.property(anyText, about, (text, how) => {
        const made = compressOutput(text, how);
        if (made === null) return;
        const before = Buffer.byteLength(text);
        assert.ok(before >= 2048);
        assert.ok(Buffer.byteLength(made.text) <= before * 0.9);
        assert.equal(compressOutput(made.text, how), null);
        assert.equal(compressOutput(`${made.text}\n[original: 7]`, how), null);
      }),
      { numRuns: 1500 },
    );
  });

  it("keeps each line with an error, wherever it is in a tool's output", () => {
    const place = fc.record({
      output: anyOutput,
      errors: fc.array(fc.tuple(errorLine, fc.nat()), { minLength: 1, maxLength: 6 }),
      how: fc.option(about, { nil: null }),
    });
    fc.assert(
      fc.property(place, ({ output: index, errors, how }) => {
        const output = outputAt(index);
        const lines = output.text.split("\n");
        for (const [line, at] of errors) lines.splice(at % lines.length, 0, line);
        const made = compressOutput(lines.join("\n"), how ?? output.about);
        if (made === null) return;
        const remaining = new Set(remainingLines(made));
        for (const [line] of errors) assert.ok(remaining.has(narrowed(line)), line);
      }),
      { numRuns: 3000 },
    );
  });

  it("keeps lines unchanged and in order, whatever outputs follow each other", () => {
    const parts = fc.array(fc.tuple(anyOutput, fc.nat(), fc.nat()), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(parts, about, (chosen, how) => {
        const text = chosen
          .map(([index, from, size]) => {
            const lines = outputAt(index).text.split("\n");
            const first = from % lines.length;
            return lines.slice(first, first + 1 + (size % 300)).join("\n");
          })
          .join("\n");
        const made = compressOutput(text, how);
        if (made === null) return;
        if (made.compressor === "json") {
          assert.deepEqual(restoredJson(made.text), dataOf(text));
          return;
        }
        const states = statesOf(text).map(narrowed);
        assert.equal(firstStray(remainingLines(made), states), null);
        const remaining = new Set(remainingLines(made));
        assert.deepEqual(
          states.filter((line) => mustSurvive(line) && !remaining.has(line)),
          [],
        );
      }),
      { numRuns: 800 },
    );
  });

  it("is a file's text if the command reads one: only control sequences are cut", () => {
    const reader = fc.constantFrom(
      ["cat", "a"],
      ["sed", "-n", "1,9p", "a"],
      ["head", "a"],
      ["tail", "-n", "9", "a"],
      ["git", "show", "HEAD:a"],
      ["awk", "1", "a"],
    );
    fc.assert(
      fc.property(anyText, reader, (text, words) => {
        const made = compressOutput(text, { command: [words], isFailure: false });
        if (made === null) return;
        assert.equal(made.compressor, "terminal");
        assert.equal(firstStray(Array.from(made.text), Array.from(text)), null);
        assert.ok(!made.text.includes("\u001B"));
      }),
    );
  });
});

const word = fc.constantFrom(
  "berth",
  "error",
  "fails",
  "warning",
  "pilot",
  "assert",
  "[x]",
  "(3)",
  "not",
  "ok",
  "✓",
);
const testName = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const tests = fc.array(fc.record({ name: testName, hasPassed: fc.boolean() }), {
  minLength: 60,
  maxLength: 120,
});

/** One test runner's lines: of a test that passed or failed, and of the summary. */
interface Format {
  readonly words: readonly string[];
  readonly before?: string;
  readonly passed: (name: string, index: number) => string;
  readonly failed: (name: string, index: number) => string;
  readonly summary: (passed: number, failed: number) => string;
}

const formats: Readonly<Record<string, Format>> = {
  vitest: {
    words: ["vitest"],
    passed: (name, index) => `   ✓ ${name} of ${index} 2ms`,
    failed: (name, index) => `   × ${name} of ${index} 2ms`,
    summary: (passed, failed) =>
      ` Test Files  1 failed (1)\n      Tests  ${failed} failed | ${passed} passed`,
  },
  jest: {
    words: ["jest"],
    passed: (name, index) => `    ✓ ${name} of ${index} (2 ms)`,
    failed: (name, index) => `    ✕ ${name} of ${index} (2 ms)`,
    summary: (passed, failed) => `Tests:       ${failed} failed, ${passed} passed, ${passed + failed} total`,
  },
  "node:test": {
    words: ["node", "--test"],
    passed: (name, index) => `✔ ${name} of ${index} (0.1ms)`,
    failed: (name, index) => `✖ ${name} of ${index} (0.1ms)`,
    summary: (passed, failed) => `ℹ tests ${passed + failed}\nℹ pass ${passed}\nℹ fail ${failed}`,
  },
  tap: {
    words: ["tape"],
    before: "TAP version 13",
    passed: (name, index) => `ok ${index} - ${name}`,
    failed: (name, index) => `not ok ${index} - ${name}\n  ---\n  error: 'no berth ${index}'\n  ...`,
    summary: (passed, failed) => `1..${passed + failed}\n# pass ${passed}\n# fail ${failed}`,
  },
  pytest: {
    words: ["pytest", "-v"],
    passed: (name, index) => `test_a.py::test_${index}[${name}] PASSED      [ 12%]`,
    failed: (name, index) => `test_a.py::test_${index}[${name}] FAILED      [ 12%]`,
    summary: (passed, failed) => `======= ${failed} failed, ${passed} passed in 0.86s =======`,
  },
  "go test": {
    words: ["go", "test", "-v"],
    passed: (_, index) => `=== RUN   TestA${index}\n--- PASS: TestA${index} (0.00s)`,
    failed: (_, index) =>
      `=== RUN   TestA${index}\n    a_test.go:${index}: got 4, want 5\n--- FAIL: TestA${index} (0.00s)`,
    summary: (_, failed) => `${failed > 0 ? "FAIL\nFAIL" : "PASS\nok  "}\tharbor/berth\t0.003s`,
  },
  "cargo test": {
    words: ["cargo", "test"],
    passed: (name, index) => `test berth::${name.replaceAll(" ", "_")}_${index} ... ok`,
    failed: (name, index) => `test berth::${name.replaceAll(" ", "_")}_${index} ... FAILED`,
    summary: (passed, failed) => `test result: FAILED. ${passed} passed; ${failed} failed; 0 ignored`,
  },
  gradle: {
    words: ["gradle", "test"],
    before: "> Task :test",
    passed: (name, index) => `BerthTest > ${name.replaceAll(" ", "_")}${index}() PASSED`,
    failed: (name, index) => `BerthTest > ${name.replaceAll(" ", "_")}${index}() FAILED`,
    summary: (passed, failed) => `${passed + failed} tests completed, ${failed} failed\nBUILD FAILED in 3s`,
  },
};

describe("a run of generated tests", () => {
  for (const [name, format] of Object.entries(formats))
    it(`keeps only the failed tests and the summary: ${name}`, () => {
      fc.assert(
        fc.property(tests, fc.boolean(), (list, isExpected) => {
          const blocks = list.map((test, index) =>
            (test.hasPassed ? format.passed : format.failed)(test.name, index),
          );
          const passed = list.filter(({ hasPassed }) => hasPassed).length;
          const end = format.summary(passed, list.length - passed);
          const text = [...(format.before === undefined ? [] : [format.before]), ...blocks, "", end].join(
            "\n",
          );
          const made = compressOutput(text, { command: isExpected ? [format.words] : null, isFailure: true });
          if (made === null) return;
          const remaining = made.text.split("\n");
          assert.equal(
            firstStray(
              remaining.filter((line) => !isNotice(line)),
              text.split("\n"),
            ),
            null,
          );
          assert.ok(made.text.endsWith(end));
          list.forEach((test, index) => {
            if (!test.hasPassed)
              for (const line of (blocks[index] ?? "").split("\n")) assert.ok(remaining.includes(line), line);
          });
          // A run that is shorter than its notice stays.
          const left = blocks.filter(
            (block, index) => list[index]?.hasPassed === true && made.text.includes(`${block}\n`),
          );
          assert.ok(left.length < Math.max(2, passed), `${left.length} of ${passed}`);
        }),
        { numRuns: 60 },
      );
    });
});

describe("the common part of lines", () => {
  const path = fc.constantFrom("src/berth.ts", "src/deep/er/pilot-2.ts", "a-1-b/crane.ts", "README.md");
  const match = fc
    .tuple(path, fc.nat(999), fc.string({ maxLength: 40 }))
    .filter(([, , text]) => !/[\r\n\u001B\b]/u.test(text));

  it("is written once, and each line of a search can be restored", () => {
    fc.assert(
      fc.property(fc.array(match, { minLength: 60, maxLength: 200 }), (matches) => {
        const text = matches.map(([file, line, found]) => `${file}:${line}:${found}`).join("\n");
        const made = compressOutput(text, { command: [["rg", "-n", "x"]], isFailure: false });
        if (made !== null) assert.equal(restoredLines(made.text).join("\n"), text);
      }),
    );
  });

  it("is written once, and each path of a list can be restored", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(path, fc.nat(99)), { minLength: 100, maxLength: 250 }), (paths) => {
        const text = paths.map(([file, index]) => `${file}-${index}`).join("\n");
        const made = compressOutput(text, { command: [["find", "."]], isFailure: false });
        if (made !== null) assert.equal(restoredLines(made.text).join("\n"), text);
      }),
    );
  });
});
