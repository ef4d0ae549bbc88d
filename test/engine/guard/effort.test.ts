import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalogue } from "../../../src/engine/guard/catalogue/all.ts";
import { findHits } from "../../../src/engine/guard/calls/find-hits.ts";
import { readExample } from "../../../src/engine/guard/calls/example.ts";
import { RuleSet } from "../../../src/engine/guard/calls/rule-set.ts";
import { matchingEffort, readingEffort } from "../../../src/engine/guard/effort.ts";
import type { Invocation } from "../../../src/engine/guard/commands/invocation.ts";
import { readableText, wordReadingSteps } from "../../../src/engine/guard/commands/bounds.ts";
import { readCommandLine } from "../../../src/engine/guard/commands/shell-reader.ts";
import { anyCall, commandLine } from "./support/fuzzed-calls.ts";
import { testContext } from "./support/shell-context.ts";

const rules = new RuleSet(catalogue);

/** Characters and elements of what was read: the work that it was at least. */
function sizeOf({ program, args, redirections, from, runs }: Invocation): number {
  const words = [...args, ...redirections.map(({ target }) => target)];
  const size = words.reduce((sum, word) => sum + word.text.length + word.from.length, 0);
  return program.length + size + from.length + runs.length;
}

test("reading any command line takes a bounded number of steps, the same every time", () => {
  fc.assert(
    fc.property(commandLine, (text) => {
      const [first, second] = [readingEffort(), readingEffort()];
      const found = readCommandLine(text, testContext, first);
      assert.deepEqual(readCommandLine(text, testContext, second), found);
      assert.equal(second.taken, first.taken);
      assert.ok(first.taken <= 5_900);
      const size = found.reduce((sum, each) => sum + sizeOf(each), 0);
      assert.ok(size <= 1_000_000, `${size} for ${first.taken} steps`);
    }),
    { numRuns: 400 },
  );
});

test("testing the rules on any call takes a bounded number of steps", () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      const effort = matchingEffort();
      if (call.kind === "file") rules.hitsOfFile(call, testContext, effort);
      else rules.hitsOfCommand(readCommandLine(call.command, testContext), testContext, effort);
      assert.ok(effort.taken <= 7_000);
    }),
    { numRuns: 200 },
  );
});

test("no example of the rules comes near the bounds", () => {
  for (const text of catalogue.flatMap(({ match, fires, passes }) =>
    match.length === 0 ? [] : [...fires, ...passes],
  )) {
    const call = readExample(text);
    if (call.kind !== "command" || call.shell !== "posix") continue;
    const [reading, matching] = [readingEffort(), matchingEffort()];
    rules.hitsOfCommand(readCommandLine(call.command, testContext, reading), testContext, matching);
    assert.ok(reading.taken <= reading.left, `${reading.taken} steps for reading ${text}`);
    assert.ok(matching.taken <= matching.left, `${matching.taken} steps for testing ${text}`);
  }
});

const doc =
  "To start over:\n\n```sh\nrm -rf /\ngit push --force\n```\n\nThen call sum(a, b) < 3 && go { }. It's done.\n";

test("written, quoted or committed text is text, however long, and the rest is judged as usual", () => {
  for (const times of [1, 10, 25, 40, 80, 200, 600]) {
    const text = doc.repeat(times);
    const documents = [
      `cat > docs/a.md <<'EOF'\n${text}EOF`,
      `git commit -q -F - <<EOF\n${text.replaceAll("`", "'")}EOF`,
    ];
    const messages = [
      `git commit -m "$(cat <<'EOF'\n${text}EOF\n)"`,
      `git commit -m '${text.replaceAll("'", "’")}'`,
      `printf '%s' "${text.replaceAll("`", "'")}" > docs/a.md`,
    ];
    for (const line of text.length < 10_000 ? [...documents, ...messages] : documents) {
      const call = { kind: "command", command: line, shell: "posix" } as const;
      assert.deepEqual(
        findHits(call, rules, testContext),
        [],
        `${line.length} characters of ${line.slice(0, 40)}`,
      );
      const [hit] = findHits({ ...call, command: `${line}\nrm -rf /` }, rules, testContext);
      assert.deepEqual([hit?.rule.id, hit?.isGuess], ["delete-root", false], line.slice(0, 40));
    }
  }
});

test("skips nothing of a long line for a here-document that may not be one, or that runs something", () => {
  const [filler, long] = ["echo one two three\n", `${"x".repeat(60)}\n`];
  for (const line of [
    `echo "<<EOF"\n${filler.repeat(100)}rm -rf /\n${filler.repeat(340)}EOF\nls`,
    `: $((1 <<EOF))\n${filler.repeat(100)}rm -rf /\n${filler.repeat(340)}EOF\nls`,
    `cat <<EOF\n$HOME\n${long.repeat(20)}$(rm -rf /)\n${long.repeat(130)}EOF\nls`,
  ]) {
    const hits = findHits({ kind: "command", command: line, shell: "posix" }, rules, testContext);
    assert.ok(
      hits.some(({ rule }) => rule.id === "delete-root"),
      line.slice(0, 30),
    );
  }
  const script = `cat > a.sh <<EOF\n${"echo rm -rf / of $HOME\n".repeat(400)}EOF\n`;
  const judged = (command: string) =>
    findHits({ kind: "command", command, shell: "posix" }, rules, testContext);
  assert.deepEqual(judged(script), []);
  assert.equal(judged(`${script}rm -rf /`)[0]?.isGuess, false);
});

test("reads the beginning and end of a line that is too long to be read by its words", () => {
  fc.assert(
    fc.property(commandLine, fc.integer({ min: 500, max: 12_000 }), (text, steps) => {
      const read = readableText(text, steps);
      assert.ok(wordReadingSteps(read) <= steps);
      if (read === text) return;
      const cut = [...read.matchAll(/\n/gu)].some(
        ({ index }) => text.startsWith(read.slice(0, index)) && text.endsWith(read.slice(index + 1)),
      );
      assert.ok(cut, read);
      assert.ok(text.length > 12_000 || wordReadingSteps(text) > steps);
      assert.ok(read.length > Math.min(steps, text.length) / 10, `${read.length} of ${text.length}`);
    }),
  );
});

const hostile = {
  "a variable made of itself": `a=xx; ${"a=$a$a; ".repeat(600)}`,
  "a script in loops": `X='${"echo a; ".repeat(300)}'; ${"for a in 1 2 3 4 5 6 7 8; do ".repeat(4)}bash -c "$X"; ${"done; ".repeat(4)}`,
  "words in loops": `X='${"echo a ".repeat(600)}'; ${"for a in 1 2 3 4 5 6 7 8; do ".repeat(4)}echo $X; ${"done; ".repeat(4)}`,
  "words filled in": `echo ${"a".repeat(2000)} | xargs -I a bash -c ${"a".repeat(2000)}; `,
  "files filled in": `find ${"b/ ".repeat(1000)} -exec echo ${"{}".repeat(1000)} \\; ; `,
  "many commands": Array.from({ length: 700 }, (_, index) => `echo ${index}; `).join(""),
};

for (const [name, text] of Object.entries(hostile))
  test(`still judges what follows ${name}, by its words`, () => {
    const effort = readingEffort();
    const found = readCommandLine(`${text}\nrm -rf /`, testContext, effort);
    const hits = rules.hitsOfCommand(found, testContext, matchingEffort());
    assert.ok(hits.some(({ excerpt }) => excerpt === "rm -rf /"));
  });

test("a long command does not keep rules from a short one beside it", () => {
  const found = readCommandLine(`tee ${"/etc/a ".repeat(600)}; rm -rf /`, testContext);
  const effort = matchingEffort();
  const hits = rules.hitsOfCommand(found, testContext, effort);
  assert.ok(effort.isExceeded);
  assert.ok(hits.some(({ excerpt, isGuess }) => excerpt === "rm -rf /" && !isGuess));
});

test("finds a secret in a long written text", () => {
  const key = "AKIA2QTNVXKRJW7YBPLM";
  for (const content of [
    `${"a line\n".repeat(25_000)}key = "${key}"`,
    `${key}\n${"a line\n".repeat(50_000)}`,
  ]) {
    const call = { tool: "edit", file: "/home/ann/shop/a.ts", content } as const;
    const hits = rules.hitsOfFile(call, testContext, matchingEffort());
    assert.ok(hits.length > 0);
  }
});
