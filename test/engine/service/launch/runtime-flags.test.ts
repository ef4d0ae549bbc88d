import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { threadLimits } from "../../../../src/engine/base/process/host-ports.ts";
import { runtimeFlags } from "../../../../src/engine/service/launch/runtime-flags.ts";

const flagsFile = new URL("../../../../src/engine/service/launch/runtime-flags.ts", import.meta.url).href;

/** The heap limit of a thread that a process starts with those flags. Bytes. */
function limitOfThread(flags: readonly string[], before: string): number {
  const thread = `
    import { getHeapStatistics } from "node:v8";
    import { parentPort } from "node:worker_threads";
    parentPort.postMessage(getHeapStatistics().heap_size_limit);
  `;
  const options = { eval: true, resourceLimits: threadLimits };
  const script = `
    import { Worker } from "node:worker_threads";
    import { releaseThreads } from ${JSON.stringify(flagsFile)};
    ${before};
    const worker = new Worker(${JSON.stringify(thread)}, ${JSON.stringify(options)});
    worker.once("message", (limit) => console.log(limit));
  `;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...flags, "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  assert.equal(stderr, "");
  assert.equal(status, 0);
  return Number(stdout);
}

describe("the service's runtime flags", () => {
  it("leave threads their own limits", () => {
    const own = limitOfThread([], "");
    assert.ok(own > 0);
    assert.ok(limitOfThread(runtimeFlags, "") < own, "the flags hold for threads");
    assert.equal(limitOfThread(runtimeFlags, "releaseThreads()"), own);
  });
});
