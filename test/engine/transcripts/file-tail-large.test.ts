import assert from "node:assert/strict";
import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { bytesRead } from "../support/bytes-read.ts";
import { FollowedFile, followFile } from "../support/followed-file.ts";

const isWindows = process.platform === "win32";
const [mega, giga] = [1024 ** 2, 1024 ** 3];

describe("the tail of something large", () => {
  it("delivers a line of 50 MB", (t) => {
    const { filePath: path, file } = followFile(t);
    const line = `{"text":"${"x".repeat(50 * mega)}"}`;
    writeFileSync(path, `${line}\nnext\n`);
    assert.equal(file.drain(8 * mega), 7);
    assert.equal(file.lines.length, 2);
    assert.ok(file.lines[0] === line);
    assert.deepEqual([file.lines[1], file.oversized], ["next", 0]);
  });

  it("skips and counts a line over 64 MiB", (t) => {
    const { filePath: path, file } = followFile(t, "first\n");
    truncateSync(path, 64 * mega + 7);
    appendFileSync(path, "\nnext\n");
    file.drain(8 * mega);
    assert.deepEqual([file.lines, file.oversized], [["first", "next"], 1]);
  });

  it(
    "of hundreds of MB reads at most its budget at a time, uses little memory, and then reads only new bytes",
    { skip: isWindows && "Windows would write out the hole", timeout: 60_000 },
    (t) => {
      const budget = 8 * mega;
      const { filePath: path, file } = followFile(t, "first\n");
      truncateSync(path, 400 * mega);
      appendFileSync(path, "\nnext\n");
      const before = process.memoryUsage().rss;
      let largest = 0;
      let more = true;
      for (let polls = 0; more; polls += 1) {
        assert.ok(polls <= 60);
        const read = bytesRead();
        more = file.poll(budget).more;
        assert.ok(bytesRead() - read < budget + mega, `${bytesRead() - read} bytes in one poll`);
        if (polls % 10 === 0) largest = Math.max(largest, process.memoryUsage().rss - before);
      }
      assert.deepEqual([file.lines, file.oversized], [["first", "next"], 1]);
      assert.ok(largest < 250 * mega, `${largest} bytes more in use`);
      appendFileSync(path, "new\n");
      const readBefore = bytesRead();
      file.poll(budget);
      assert.ok(bytesRead() - readBefore < 10_000);
      assert.equal(file.lines.at(-1), "new");
    },
  );

  it("continues beyond the fourth GB", { skip: isWindows && "Windows would write out the hole" }, (t) => {
    const { filePath: path, file } = followFile(t, "first\n");
    file.drain();
    truncateSync(path, 5 * giga);
    appendFileSync(path, "\nnext\n");
    const hole = Buffer.alloc(file.place.witness.length);
    const later = new FollowedFile(path, { ...file.place, offset: 5 * giga - mega, witness: hole });
    assert.equal(later.drain(mega), 2);
    assert.deepEqual([later.lines.at(-1), later.restarts], ["next", 0]);
    assert.equal(later.place.offset, 5 * giga + "\nnext\n".length);
  });
});
