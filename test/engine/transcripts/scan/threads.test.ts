import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { scanTranscripts } from "../../../../src/engine/transcripts/scan.ts";
import { ScanThreads } from "../../../../src/engine/transcripts/scan/threads.ts";

const workerPath = new URL("../../../../src/engine/transcripts/scan/scan-worker.ts", import.meta.url);
const enough = 1 << 24;

/** Starts as many threads as allowed, then fails as Node does. */
function atMost(
  allowed: number,
  code: string,
): { starts: () => number; start: (path: string | URL) => Worker } {
  let starts = 0;
  return {
    starts: () => starts,
    start: (path) => {
      starts += 1;
      if (starts > allowed) throw Object.assign(new Error("EAGAIN"), { code });
      return new Worker(path);
    },
  };
}

describe("threads that read transcripts", () => {
  it("are started once, when there is enough to read", () => {
    const { starts, start } = atMost(0, "ERR_WORKER_INIT_FAILED");
    const threads = new ScanThreads(workerPath, 3, start);
    threads.startFor(enough - 1);
    assert.equal(starts(), 0);
    threads.startFor(enough);
    threads.startFor(enough);
    assert.equal(starts(), 1);
  });

  it("are as many as the system allows", async () => {
    for (const allowed of [0, 2]) {
      const { starts, start } = atMost(allowed, "ERR_WORKER_INIT_FAILED");
      const threads = new ScanThreads(workerPath, 7, start);
      threads.startFor(enough);
      assert.equal(starts(), allowed + 1);
      const { problems, files } = await scanTranscripts({ files: [], threads });
      assert.deepEqual([problems, files], [[], 0]);
    }
  });

  it("fail to start for any other reason", () => {
    const { start } = atMost(0, "ERR_WORKER_PATH");
    assert.throws(() => new ScanThreads(workerPath, 1, start).startFor(enough), /EAGAIN/u);
  });
});
