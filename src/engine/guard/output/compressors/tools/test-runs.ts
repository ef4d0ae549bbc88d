import { beginsWith, indentOf, type Compressor, type OutputText } from "../compressor.ts";
import { kindOf, type Kind, type Marks } from "../marks.ts";

/** A line about a passed test, or a passed file of tests. */
const passing = /^\s*(?:[✓✔√] {1,2}\S|\(pass\) \S)/u;
const passingFile = /^(?:PASS \S|\s*[✓✔√] .*\(\d+ tests?\))/u;
/** Bundlers mark completed steps in the same way. */
const isNoTest = /^[✓✔√] (?:\d+ modules? |built |Compiled|Generating|Linting|Collecting)/u;

/** Each runner's name and the line of its summary. */
const summaries: readonly (readonly [name: string, summary: RegExp])[] = [
  ["vitest", /^ *Test Files {2}\S/mu],
  ["jest", /^Tests: +\d/mu],
  ["mocha", /^ +\d+ passing \(/mu],
  ["node-test", /^ℹ pass \d/mu],
  ["playwright", /^ +\d+ passed \(\d/mu],
  ["bun-test", /^ *\d+ pass$/mu],
];
const runners = new Set(["vitest", "jest", "mocha", "playwright", "cypress", "ava"]);

/** JavaScript test runners that mark each test with a sign. Leaves out passing tests, and headings that contain only those. */
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

/** A heading. A line with digits or signs may be a value that a test prints. */
const heading = /^(?: {2,}|\s*▶ )[^\s●✖×✕❯[{(>|+-][^{};=:\d]*$/u;

/** Drops each heading with only dropped lines, inner headings first. */
function dropHeadings(lines: OutputText["lines"], marks: Marks, kind: Kind): void {
  /** Lines below that have no heading yet, the nearest last. */
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

const result = /^ *(?:not )?ok \d+/u;
const subtest = /^ *# Subtest: /u;
const nestedPlan = /^ +\d+\.\.\d+$/u;
const hasDirective = / # (?:SKIP|TODO)\b/iu;

/** Maximum lines of a block of details. A longer one has more than a duration and a type. */
const maxDetails = 20;

const tests = kindOf("tap", "passing test");
const details = kindOf("tap", "line of passing tests", "lines of passing tests");

/** TAP of node:test, tape and prove -v. Leaves out passing results and their details. */
export const tap: Compressor = {
  runs: (words) => beginsWith(words, "node --test", "tap", "tape", "prove", "bats"),
  mark: ({ ends, lines }, marks) => {
    if (!/^(?:TAP version \d|1\.\.\d+$)/mu.test(ends)) return;
    /** The heading of the current subtest at each indent. */
    const running = new Map<number, number>();
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? "";
      const indent = indentOf(line);
      if (subtest.test(line)) running.set(indent, index);
      else if (nestedPlan.test(line)) marks.drop(index, details);
      else if (result.test(line)) {
        const heading = running.get(indent);
        running.delete(indent);
        if (line.startsWith("not", indent) || hasDirective.test(line)) continue;
        if (heading !== undefined) marks.drop(heading, details);
        marks.drop(index, tests);
        index = dropDetails(lines, marks, index + 1, indent + 2);
      }
    }
  },
};

/** Drops a block of details that begins at a line. Returns the last line that was read. */
function dropDetails(lines: OutputText["lines"], marks: Marks, from: number, indent: number): number {
  const margin = " ".repeat(indent);
  if (lines[from] !== `${margin}---`) return from - 1;
  const size = lines.slice(from, from + maxDetails).indexOf(`${margin}...`);
  if (size < 0) return from - 1;
  const end = from + size;
  for (let index = from; index <= end; index += 1) marks.dropQuiet(index, details);
  return end;
}

/** The last duration in a line, such as `12.3s`, `5003 ms` or Go's JSON: a test's name may have one too. */
const time =
  /(?:"Elapsed":(?<elapsed>\d+(?:\.\d+)?)|(?<![\d.])(?<value>\d+(?:\.\d+)?) ?(?<unit>ms|s|m)\b)[^\d]*$/u;
const seconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 };

/** Minimum duration of a slow test in seconds, and minimum factor to the median. */
const [minTime, minFactor] = [1, 10];
const maxSlowTests = 5;

/** Keeps the few passing tests that took much longer than the others. */
export function keepSlowTests({ lines }: OutputText, marks: Marks): void {
  const timed = lines.flatMap((line, index) => {
    const took = marks.isDropped(index) ? timeIn(line) : null;
    return took === null ? [] : [{ index, took }];
  });
  const sorted = timed.toSorted((one, other) => other.took - one.took);
  const usual = sorted[Math.floor(sorted.length / 2)]?.took ?? 0;
  for (const { index, took } of sorted.slice(0, maxSlowTests))
    if (took >= minTime && took >= usual * minFactor) marks.keep(index);
}

function timeIn(line: string): number | null {
  const groups = time.exec(line)?.groups;
  if (groups === undefined) return null;
  const { elapsed, value, unit } = groups;
  return elapsed === undefined ? Number(value) * (seconds[unit ?? ""] ?? 0) : Number(elapsed);
}
