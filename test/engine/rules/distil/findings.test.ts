import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { digestLength, digestOf } from "../../../../src/engine/rules/distil/import-lines.ts";
import { type Finding, findWaste } from "../../../../src/engine/rules/distil/findings.ts";
import { readSentence } from "../../../../src/engine/rules/distil/propose.ts";
import { readTrajectory } from "../../../../src/engine/rules/distil/trajectory.ts";
import { TranscriptLines } from "../support/transcript.ts";

const always = { since: null, until: null };

function found(lines: TranscriptLines): Finding[] {
  return findWaste(readTrajectory(lines.lines, always));
}

test("A file read again unchanged is found, with the turns; after an edit it is another text", () => {
  const [finding, ...others] = found(
    new TranscriptLines().read("/p/a.ts", 3000).read("/p/b.ts", 9000).read("/p/a.ts", 3000),
  );
  assert.equal(finding?.kind, "file-reread");
  assert.equal(finding.characters, 3000);
  assert.deepEqual(finding.turns, [
    { line: 1, what: "Read /p/a.ts" },
    { line: 5, what: "Read /p/a.ts" },
  ]);
  assert.deepEqual(others, []);
  const edited = new TranscriptLines().read("/p/a.ts", 3000).edit("/p/a.ts").read("/p/a.ts", 3000);
  assert.deepEqual(found(edited), []);
  const formatted = new TranscriptLines()
    .read("/p/a.ts", 3000)
    .called("Bash", { command: "npx prettier --write ." }, "")
    .read("/p/a.ts", 3000);
  assert.deepEqual(found(formatted), []);
});

test("Another part of a file is another read", () => {
  const parts = new TranscriptLines();
  for (const offset of [1, 500, 1000])
    parts.called("Read", { file_path: "/p/a.ts", offset, limit: 500 }, "x".repeat(5000));
  assert.deepEqual(found(parts), []);
});

test("A search made again is found", () => {
  const lines = new TranscriptLines();
  for (let time = 0; time < 3; time += 1) lines.called("Grep", { pattern: "tide", path: "src" }, "src/a.ts");
  const [finding] = found(lines);
  assert.equal(finding?.kind, "repeated-search");
  assert.match(finding.what.text, /tide was made 3 times/u);
});

test("A command that fails the same way again is found, but not one after an edit, or that fails otherwise", () => {
  const fails = (lines: TranscriptLines, why = "Error: no such table") =>
    lines.called("Bash", { command: "npm test" }, why, true);
  const [finding] = found(fails(fails(new TranscriptLines())));
  assert.equal(finding?.kind, "repeated-failure");
  assert.deepEqual(found(fails(fails(new TranscriptLines()).edit("/p/a.ts"))), []);
  assert.deepEqual(found(fails(fails(new TranscriptLines()), "Error: other")), []);
});

test("Long output without a later mention is found; mentioned output was used", () => {
  const words = Array.from(
    { length: 900 },
    (_, index) => `identifier${String.fromCharCode(97 + (index % 26))}${index}`,
  );
  const lines = () => new TranscriptLines().called("Bash", { command: "cat log" }, words.join(" "));
  const [finding] = found(lines().said("Everything is well."));
  assert.equal(finding?.kind, "unused-output");
  assert.equal(finding.turns[0]?.line, 1);
  assert.deepEqual(found(lines().said(`It is ${words[450] ?? ""}.`)), []);
  assert.deepEqual(found(lines()), [], "the last output is the person's");
});

test("A long way to the first edit is found", () => {
  const lines = new TranscriptLines();
  for (let file = 0; file < 12; file += 1) lines.read(`/p/${file}.ts`, 1000);
  assert.deepEqual(found(lines), [], "a run that only reads has nowhere to get to");
  assert.equal(found(lines.edit("/p/1.ts"))[0]?.kind, "long-navigation");
});

test("Only events within the run's time count, and lines are the file's", () => {
  const { lines } = new TranscriptLines().read("/p/a.ts", 3000).read("/p/a.ts", 3000).read("/p/a.ts", 3000);
  const since = Date.UTC(2026, 10, 2) + 2000;
  const [finding] = findWaste(readTrajectory(lines, { since, until: null }));
  assert.deepEqual(
    finding?.turns.map(({ line }) => line),
    [3, 5],
  );
});

test("All advice is fit to be a rule", () => {
  const lines = new TranscriptLines();
  for (let file = 0; file < 12; file += 1) lines.read(`/p/a.ts`, 1000);
  for (let time = 0; time < 3; time += 1) lines.called("Grep", { pattern: "tide" }, "x");
  for (let time = 0; time < 2; time += 1) lines.called("Bash", { command: "npm test" }, "Error", true);
  lines.called(
    "Bash",
    { command: "cat log" },
    Array.from({ length: 900 }, (_, at) => `abcdefgh${at}`).join(" "),
  );
  lines.edit("/p/b.ts");
  const all = found(lines);
  assert.equal(new Set(all.map(({ kind }) => kind)).size, 5);
  for (const { advice } of all) assert.ok(readSentence(advice).ok, advice);
});

test("No line of a transcript, however broken, makes it throw", () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom("tool_use", "tool_result", "text", "Read", "id", "assistant"),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      part,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom("type", "message", "content", "input", "id", "name", "text"),
        tie("value"),
      ),
    ),
  })).value;
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          value.map((each) => JSON.stringify(each)),
        ),
        { maxLength: 8 },
      ),
      (lines) => {
        const trajectory = readTrajectory(lines, always);
        findWaste(trajectory);
        assert.ok(digestOf(trajectory).length <= digestLength);
      },
    ),
  );
});

test("A digest is bounded: its beginning and its end, and how much is left out", () => {
  const lines = new TranscriptLines();
  for (let file = 0; file < 1000; file += 1) lines.read(`/project/source/file-${file}.ts`, 10);
  const digest = digestOf(readTrajectory(lines.lines, always));
  assert.ok(digest.length <= digestLength && digest.length > digestLength * 0.9, String(digest.length));
  assert.match(digest, /^1 Read \/project\/source\/file-0\.ts -> 10 characters/u);
  assert.match(digest, /file-999\.ts -> 10 characters$/u);
  assert.match(digest, /… \d+ actions left out …/u);
});
