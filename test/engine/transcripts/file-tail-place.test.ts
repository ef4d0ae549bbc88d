import assert from "node:assert/strict";
import { appendFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FileTail, type TailPosition } from "../../../src/engine/transcripts/file-tail.ts";
import { scratchFolder } from "../support/scratch.ts";

interface Delivered {
  readonly lines: string[];
  readonly restarted: boolean;
  readonly place: TailPosition;
  readonly size: number;
}

/** Continues reading at a position with a new tail. */
function readFrom(file: string, position: TailPosition | null, budget = Infinity): Delivered {
  const lines: string[] = [];
  const tail = new FileTail(
    file,
    {
      onRestart: () => lines.splice(0),
      onLine: (line) => lines.push(line.toString("latin1")) > 0,
      onOversized: () => assert.fail("nothing is that long"),
    },
    position,
  );
  const { state, restarted } = tail.poll(budget);
  assert.equal(state, "reading");
  return { lines, restarted, place: tail.place, size: tail.stats.size };
}

describe("a tail that continues where another stopped", () => {
  it("delivers every line once, however often it is restarted", (t) => {
    const folder = scratchFolder(t);
    const pieces = fc.array(fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 300 })));
    let run = 0;
    fc.assert(
      fc.property(pieces, (steps) => {
        const file = path.join(folder, `${(run += 1)}.jsonl`);
        writeFileSync(file, "");
        const lines: string[] = [];
        let content = Buffer.alloc(0);
        let position: TailPosition | null = null;
        for (const [bytes, budget] of [...steps, [new Uint8Array(), Infinity] as const]) {
          appendFileSync(file, bytes);
          content = Buffer.concat([content, bytes]);
          const reported = readFrom(file, position, budget);
          assert.equal(reported.restarted, false);
          assert.equal(reported.size, content.length);
          position = reported.place;
          lines.push(...reported.lines);
        }
        assert.deepEqual(lines, content.toString("latin1").split("\n").slice(0, -1));
        assert.equal(position?.offset, content.lastIndexOf(0x0a) + 1);
      }),
    );
  });

  it("starts over with a file of the same size that differs far before the end", (t) => {
    const file = path.join(scratchFolder(t), "a.jsonl");
    const end = `${"x".repeat(100)}\n`;
    writeFileSync(file, `one\n${end}`);
    const { place } = readFrom(file, null);
    assert.equal(readFrom(file, place).restarted, false);
    writeFileSync(file, `six\n${end}`);
    assert.deepEqual(readFrom(file, place).lines, ["six", end.trimEnd()]);
    assert.equal(readFrom(file, { ...place, sum: null }).restarted, false, "an older version's place");
  });

  it("starts over with a file that was replaced, cut off or rewritten in between", (t) => {
    const file = path.join(scratchFolder(t), "session.jsonl");
    const happenings: (() => void)[] = [
      () => truncateSync(file, 3),
      () => writeFileSync(file, "ONE\nTWO\nTHREE\n"),
      () => {
        writeFileSync(`${file}.new`, "one\ntwo\nthree\n");
        renameSync(`${file}.new`, file);
      },
    ];
    for (const happen of happenings) {
      writeFileSync(file, "one\ntwo\n");
      const { place: position } = readFrom(file, null);
      happen();
      assert.equal(readFrom(file, position).restarted, true);
    }
  });
});
