import { beginsWith, indentOf, type Compressor, type OutputText } from "../compressor.ts";
import { kindOf, type Kind } from "../left-out.ts";
import type { Marks } from "../marks.ts";

/** A line that says in its own form that a test, or a file of tests, has passed. */
const passing = /^\s*(?:[✓✔√] {1,2}\S|\(pass\) \S)/u;
const passingFile = /^(?:PASS \S|\s*[✓✔√] .*\(\d+ tests?\))/u;
/** Bundlers mark what they have done in the same way. */
const isNoTest = /^[✓✔√] (?:\d+ modules? |built |Compiled|Generating|Linting|Collecting)/u;

/** The line of each test runner's summary, and the runner's name. */
const summaries: readonly (readonly [name: string, summary: RegExp])[] = [
  ["vitest", /^ *Test Files {2}\S/mu],
  ["jest", /^Tests: +\d/mu],
  ["mocha", /^ +\d+ passing \(/mu],
  ["node-test", /^ℹ pass \d/mu],
  ["playwright", /^ +\d+ passed \(\d/mu],
  ["bun-test", /^ *\d+ pass$/mu],
];
const runners = new Set(["vitest", "jest", "mocha", "playwright", "cypress", "ava"]);

/** The runners of JavaScript's tests that mark each test with a sign: passing ones are left out, and headings with no other tests. */
export const testRuns: Compressor = {
  runs: (words) => runners.has(words[0] ?? "") || beginsWith(words, "node --test", "bun test"),
  mark: ({ ends, lines }, marks, isExpected) => {
    const name = runnerOf(ends) ?? (isExpected ? "test-run" : null);
    if (name === null) return;
    const tests = kindOf(name, "passing test");
    const files = kindOf(name, "passing test file");
    lines.forEach((line, index) => {
      if (passingFile.test(line)) marks.drop(index, files);
      else if (passing.test(line) && !isNoTest.test(line)) marks.drop(index, tests);
    });
    dropHeadings(lines, marks, kindOf(name, "heading"));
  },
};

function runnerOf(ends: string): string | null {
  return summaries.find(([, summary]) => summary.test(ends))?.[0] ?? null;
}

/** A line with digits or signs may be a value that a test prints. */
const heading = /^(?: {2,}|\s*▶ )[^\s●✖×✕❯[{(>|+-][^{};=:\d]*$/u;

/** Drops each heading below which all is dropped, from the last to the first, so that outer ones follow inner ones. */
function dropHeadings(lines: OutputText["lines"], marks: Marks, kind: Kind): void {
  /** Lines below that no line above has taken as its own, the nearest last. */
  const open: { readonly indent: number; readonly isDropped: boolean }[] = [];
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    let below = 0;
    let areDropped = true;
    for (let last = open.at(-1); last !== undefined && last.indent > indent; last = open.at(-1)) {
      open.pop();
      below += 1;
      areDropped &&= last.isDropped;
    }
    if (below > 0 && areDropped && !marks.isDropped(index) && heading.test(line))
      marks.dropQuiet(index, kind);
    open.push({ indent, isDropped: marks.isDropped(index) });
  }
}
