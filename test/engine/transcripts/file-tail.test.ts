import assert from "node:assert/strict";
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FollowedFile, followFile } from "../support/followed-file.ts";
import { scratchFolder } from "../support/scratch.ts";

const stopped = (state: string) => ({ state, restarted: false, more: false });

describe("the tail of a growing file", () => {
  it("delivers each line once, as it arrives", (t) => {
    const { filePath, file } = followFile(t, "one\n");
    assert.deepEqual(file.poll(), { state: "reading", restarted: false, more: false });
    appendFileSync(filePath, "two\nthree\n");
    file.poll();
    file.poll();
    assert.deepEqual(file.lines, ["one", "two", "three"]);
  });

  it("waits for the rest of a half-written last line", (t) => {
    const { filePath, file } = followFile(t, 'one\n{"half":');
    file.poll();
    assert.deepEqual(file.lines, ["one"]);
    appendFileSync(filePath, "tr");
    file.poll();
    appendFileSync(filePath, "ue}\n");
    file.poll();
    assert.deepEqual(file.lines, ["one", '{"half":true}']);
  });

  it("reads a whole record that lacks only its newline, once", (t) => {
    const { filePath, file } = followFile(t, 'one\n{"a":"}"}');
    file.poll();
    file.poll();
    assert.deepEqual(file.lines, ["one", '{"a":"}"}']);
    appendFileSync(filePath, '\n{"b":{}');
    file.poll();
    appendFileSync(filePath, "}\ntwo\n");
    file.poll();
    assert.deepEqual(
      file.lines.filter((line) => line !== ""),
      ["one", '{"a":"}"}', '{"b":{}}', "two"],
    );
  });

  it("reads no more than its budget, and reports that there is more", (t) => {
    const { file } = followFile(t, "12345\n".repeat(10));
    assert.equal(file.poll(12).more, true);
    assert.equal(file.lines.length, 2);
    assert.equal(file.poll(0).more, true);
    assert.equal(file.lines.length, 2);
    assert.equal(file.drain(12), 4);
    assert.equal(file.lines.length, 10);
  });

  it("does not read again what it has read", (t) => {
    const { filePath, file } = followFile(t, `${"x".repeat(1000)}\n`);
    file.poll();
    const handle = openSync(filePath, "r+");
    writeSync(handle, "y".repeat(500), 0);
    closeSync(handle);
    appendFileSync(filePath, "two\n");
    file.poll();
    assert.deepEqual([file.restarts, file.lines.length, file.lines[1]], [0, 2, "two"]);
  });

  it("delivers the lines of two writers", (t) => {
    const { filePath, file } = followFile(t, "");
    const writers = [openSync(filePath, "a"), openSync(filePath, "a")];
    const written: string[] = [];
    for (let turn = 0; turn < 100; turn += 1)
      writers.forEach((handle, writer) => {
        written.push(`writer ${writer} turn ${turn}`);
        writeSync(handle, `${written.at(-1)}\n`);
        if (turn % 3 === 0) file.poll(40);
      });
    writers.forEach((handle) => closeSync(handle));
    file.drain();
    assert.deepEqual(file.lines, written);
  });

  it("recovers at the next line when one writer breaks another's", (t) => {
    const { filePath, file } = followFile(t, "");
    const writers = [openSync(filePath, "a"), openSync(filePath, "a")] as const;
    writeSync(writers[0], '{"half":');
    file.poll();
    writeSync(writers[1], '{"other":1}\n');
    file.poll();
    writeSync(writers[0], "1}\n");
    writeSync(writers[1], '{"sound":1}\n');
    file.poll();
    writers.forEach((handle) => closeSync(handle));
    assert.deepEqual(file.lines, ['{"half":{"other":1}', "1}", '{"sound":1}']);
  });

  it("starts over when the file is truncated", (t) => {
    const { filePath, file } = followFile(t, "one\ntwo\nhalf");
    file.poll();
    truncateSync(filePath, 4);
    assert.deepEqual(file.poll(), { state: "reading", restarted: true, more: false });
    assert.deepEqual(file.lines, ["one"]);
    truncateSync(filePath, 0);
    assert.equal(file.poll().restarted, true);
    assert.equal(file.poll().restarted, false);
    appendFileSync(filePath, "three\n");
    file.poll();
    assert.deepEqual(file.lines, ["three"]);
  });

  it("starts over when another file takes its place, even one as long", (t) => {
    const { filePath, file } = followFile(t, "one\ntwo\n");
    file.poll();
    writeFileSync(`${filePath}.new`, "six\nten\n");
    renameSync(`${filePath}.new`, filePath);
    assert.equal(file.poll().restarted, true);
    assert.deepEqual(file.lines, ["six", "ten"]);
  });

  it("starts over when the file is rewritten in place, longer than before", (t) => {
    const { filePath, file } = followFile(t, "one\ntwo\n");
    file.poll();
    writeFileSync(filePath, "six\nten\nnine\n");
    assert.equal(file.poll().restarted, true);
    assert.deepEqual(file.lines, ["six", "ten", "nine"]);
  });

  it("starts over when a row far before the end is rewritten, in as many bytes", (t) => {
    const tail = `${"x".repeat(100)}\n`;
    const { filePath, file } = followFile(t, `one\n${tail}`);
    file.poll();
    utimesSync(filePath, 1, 1);
    assert.equal(file.poll().restarted, false, "the same bytes at another time");
    writeFileSync(filePath, `six\n${tail}`);
    utimesSync(filePath, 2, 2);
    assert.equal(file.poll().restarted, true);
    assert.deepEqual(file.lines, ["six", tail.trimEnd()]);
    assert.equal(file.poll().restarted, false);
  });

  it("continues in a file that was moved away and back", (t) => {
    const { filePath, file } = followFile(t, "one\n");
    file.poll();
    renameSync(filePath, `${filePath}.away`);
    assert.deepEqual(file.poll(), stopped("gone"));
    renameSync(`${filePath}.away`, filePath);
    appendFileSync(filePath, "two\n");
    assert.deepEqual(file.poll(), { state: "reading", restarted: false, more: false });
    assert.deepEqual(file.lines, ["one", "two"]);
  });
});

/** Possible changes to a file. With so few bytes in total, the tail's witness detects every rewrite. */
const text = fc
  .array(fc.constantFrom("a", "b", "\n", "\u00ff"), { maxLength: 8 })
  .map((parts) => parts.join(""));
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("append" as const), text }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("poll" as const), budget: fc.integer({ min: 0, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("truncate" as const), left: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rewrite" as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace" as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const) }) },
);

describe("the tail, in any case", () => {
  it("of a file that only grows delivers each line once, whatever the budgets", (t) => {
    const folder = scratchFolder(t);
    const pieces = fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 400 })));
    let run = 0;
    fc.assert(
      fc.property(pieces, (steps) => {
        const filePath = path.join(folder, `${(run += 1)}.jsonl`);
        writeFileSync(filePath, "");
        const [inSteps, atOnce] = [new FollowedFile(filePath), new FollowedFile(filePath)];
        for (const [bytes, budget] of steps) {
          appendFileSync(filePath, bytes);
          inSteps.poll(budget);
        }
        inSteps.drain(7);
        atOnce.drain();
        assert.equal(inSteps.restarts, 0);
        assert.deepEqual(inSteps.lines, atOnce.lines);
        assert.deepEqual(atOnce.lines, readFileSync(filePath, "latin1").split("\n").slice(0, -1));
      }),
    );
  });

  it("knows in the end exactly the lines of the file", (t) => {
    const folder = scratchFolder(t);
    let run = 0;
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 20 }), (happenings) => {
        const filePath = path.join(folder, `${(run += 1)}.jsonl`);
        const file = new FollowedFile(filePath);
        let content = "";
        const write = (to: string) => writeFileSync(to, content, "latin1");
        write(filePath);
        for (const each of happenings) {
          switch (each.kind) {
            case "append":
              content = (content + each.text).slice(0, 64);
              write(filePath);
              break;
            case "poll":
              file.poll(each.budget);
              break;
            case "truncate":
              content = content.slice(0, each.left);
              truncateSync(filePath, content.length);
              break;
            case "rewrite":
              content = each.text;
              write(filePath);
              break;
            case "replace":
              content = each.text;
              write(`${filePath}.new`);
              renameSync(`${filePath}.new`, filePath);
              break;
            case "remove":
              rmSync(filePath);
              file.poll();
              content = "";
              write(filePath);
              break;
          }
        }
        file.drain(5);
        assert.deepEqual(file.lines, content.split("\n").slice(0, -1));
      }),
      { numRuns: 300 },
    );
  });
});
