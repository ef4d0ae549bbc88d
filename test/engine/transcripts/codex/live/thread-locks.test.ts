import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { once } from "node:events";
import { describe, it } from "node:test";
import {
  inodesIn,
  lockedThread,
  openThreads,
  systemLockedInodes,
} from "../../../../../src/engine/transcripts/codex/live/thread-locks.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { idAt } from "../rollout-rows.ts";

const thread = idAt(0);

describe("the locks of threads", () => {
  it("are read from the system's list, without waiting ones", () => {
    const locks = [
      "1: POSIX  ADVISORY  WRITE 811 fe:00:1443 1073741826 1073742335",
      "2: FLOCK  ADVISORY  WRITE 9139 fe:00:4392057 0 EOF",
      "2: -> FLOCK  ADVISORY  WRITE 9140 fe:00:77 0 EOF",
      "3: OFDLCK ADVISORY  READ  -1 00:2b:18446744073709551615 0 EOF",
      "nonsense",
      "",
    ].join("\n");
    assert.deepEqual(inodesIn(locks), new Set(["1443", "4392057", "18446744073709551615"]));
    assert.deepEqual(inodesIn(""), new Set());
  });

  it("are files named after a thread", () => {
    assert.equal(lockedThread(`${thread}.lock`), thread);
    for (const other of [".coordination.lock", `${thread}.lock.bak`, `x${thread}.lock`, thread])
      assert.equal(lockedThread(other), null);
  });

  it("are empty where the system does not list them, or there are none", (test) => {
    const folder = scratchFolder(test);
    writeFileSync(path.join(folder, `${thread}.lock`), "");
    assert.deepEqual(
      openThreads(folder, () => null),
      [],
    );
    assert.deepEqual(
      openThreads(path.join(folder, "missing"), () => new Set([""])),
      [],
    );
    assert.deepEqual(
      openThreads(path.join(folder, `${thread}.lock`), () => new Set([""])),
      [],
    );
  });

  it(
    "are released as soon as their process ends, though the file stays",
    { skip: process.platform !== "linux" && "this system lists no locks" },
    async (test) => {
      const folder = scratchFolder(test);
      const file = path.join(folder, `${thread}.lock`);
      writeFileSync(file, "");
      const command = 'flock "$0" -c "echo held; exec cat"';
      const holder = spawn("/bin/sh", ["-c", command, file], { stdio: ["pipe", "pipe", "ignore"] });
      test.after(() => holder.kill("SIGKILL"));
      const closed = once(holder, "close");
      const isHeld = await Promise.race([
        once(holder.stdout, "data").then(() => true),
        closed.then(() => false),
      ]);
      if (!isHeld) {
        test.skip("flock is not installed");
        return;
      }
      assert.deepEqual(openThreads(folder, systemLockedInodes), [thread]);
      // Its own child holds the lock as well, until its pipe ends.
      holder.stdin.end();
      await closed;
      assert.ok(statSync(file).isFile());
      assert.deepEqual(openThreads(folder, systemLockedInodes), []);
    },
  );
});
