import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Maximum run of equal lines that two features may share. */
const maxLines = 6;

interface Line {
  readonly text: string;
  /** File and line number. */
  readonly at: string;
}

/** The file's lines without imports and blank lines. */
function linesOf(file: string): Line[] {
  const code = readFileSync(file, "utf8").replaceAll(/^import [^;]*;$/gmu, (text) =>
    text.replaceAll(/[^\n]/gu, ""),
  );
  return code
    .split("\n")
    .map((text, index) => ({ text: text.trim(), at: `${file}:${index + 1}` }))
    .filter(({ text }) => text !== "");
}

/** Every run of more than `mostLines` lines in the feature's panel and host: its text, and where it begins. */
function runsOf(feature: string): Map<string, string> {
  const runs = new Map<string, string>();
  for (const file of globSync(`src/{extension,webview}/${feature}/**/*.ts`)) {
    const lines = linesOf(file);
    for (let first = 0; first + maxLines < lines.length; first += 1) {
      const run = lines.slice(first, first + maxLines + 1);
      runs.set(run.map(({ text }) => text).join("\n"), run[0]?.at ?? file);
    }
  }
  return runs;
}

test(`Bench and Compare share no run of more than ${maxLines} equal lines`, () => {
  const bench = runsOf("bench");
  const compare = runsOf("compare");
  assert.ok(bench.size > 500 && compare.size > 500, "both features were read");
  const shared = [...bench].flatMap(([text, at]) => {
    const copy = compare.get(text);
    return copy === undefined ? [] : [`${at} and ${copy}`];
  });
  assert.deepEqual(shared, []);
});
