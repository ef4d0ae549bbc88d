import { beginsWith, indentOf, type Compressor, type OutputText } from "../compressor.ts";
import { kindOf } from "../left-out.ts";
import type { Marks } from "../marks.ts";

const result = /^ *(?:not )?ok \d+/u;
const subtest = /^ *# Subtest: /u;
const nestedPlan = /^ +\d+\.\.\d+$/u;
const hasDirective = / # (?:SKIP|TODO)\b/iu;

/** A longer block has more than a duration and a type. Lines. */
const mostDetails = 20;

const tests = kindOf("tap", "passing test");
const details = kindOf("tap", "line of passing tests", "lines of passing tests");

/** TAP, as node:test, tape and prove -v write it: passing results and their details are left out. */
export const tap: Compressor = {
  runs: (words) => beginsWith(words, "node --test", "tap", "tape", "prove", "bats"),
  mark: ({ ends, lines }, marks) => {
    if (!/^(?:TAP version \d|1\.\.\d+$)/mu.test(ends)) return;
    /** The heading of the subtest that runs at each depth. */
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

/** Drops the block of details that begins there, if one does. Returns the last line that was read. */
function dropDetails(lines: OutputText["lines"], marks: Marks, from: number, indent: number): number {
  const margin = " ".repeat(indent);
  if (lines[from] !== `${margin}---`) return from - 1;
  const size = lines.slice(from, from + mostDetails).indexOf(`${margin}...`);
  if (size < 0) return from - 1;
  const end = from + size;
  for (let index = from; index <= end; index += 1) marks.dropQuiet(index, details);
  return end;
}
