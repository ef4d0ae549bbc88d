import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import { runningSessions } from "../../../../src/engine/transcripts/claude/claude-session-finder.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

/** A registration of the newer generation; the older one lacks the status and more. */
const registration = (pid: number, sessionId: string) =>
  JSON.stringify({
    pid,
    sessionId,
    cwd: "/home/dev",
    kind: "interactive",
    entrypoint: "cli",
    status: "busy",
  });

describe("running sessions", () => {
  it("are those with a live process", (t) => {
    const root = scratchFolder(t);
    writeTree(root, {
      "sessions/11.json": registration(11, "s1"),
      "sessions/12.json": registration(12, "left behind"),
      "sessions/13.json": JSON.stringify({ pid: 13, sessionId: "s3" }),
    });
    assert.deepEqual(
      runningSessions([root], (pid) => pid !== 12),
      new Set(["s1", "s3"]),
    );
  });

  it("are those of all roots, whether or not they exist", (t) => {
    const folder = scratchFolder(t);
    writeTree(folder, {
      "one/sessions/11.json": registration(11, "s1"),
      "two/sessions/12.json": registration(12, "s2"),
      "three/sessions": "no folder",
    });
    const roots = ["one", "two", "three", "missing"].map((name) => path.join(folder, name));
    assert.deepEqual(
      runningSessions(roots, () => true),
      new Set(["s1", "s2"]),
    );
  });

  it("are not taken from a file that is not a registration", { timeout: 60_000 }, (t) => {
    const root = scratchFolder(t);
    writeTree(root, {
      "sessions/11.json": registration(11, "half-written").slice(0, 30),
      "sessions/12.json": "",
      "sessions/13.json": "null",
      "sessions/14.json": JSON.stringify({ pid: "14", sessionId: "s4" }),
      "sessions/15.json": JSON.stringify({ pid: 0, sessionId: "everybody" }),
      "sessions/16.json": JSON.stringify({ pid: 16 }),
      "sessions/17.json/x": "",
      "sessions/18.0123abcd.key": registration(18, "a secret"),
      "sessions/19.json.tmp": registration(19, "being written"),
      "sessions/20.json": `${registration(20, "followed by much")}${" ".repeat(100_000)}`,
    });
    makeFifo(t, path.join(root, "sessions", "21.json"));
    assert.deepEqual(
      runningSessions([root], () => true),
      new Set(["followed by much"]),
    );
  });
});
