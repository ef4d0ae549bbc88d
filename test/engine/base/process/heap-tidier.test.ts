import assert from "node:assert/strict";
import test from "node:test";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const tidier = fileURLToPath(new URL("../../../../src/engine/base/process/heap-tidier.ts", import.meta.url));

/** Bytes. */
const garbage = 4e6;

/**
 * Heap sizes of a process that makes garbage and then receives five-second ticks during which it was idle, until its garbage is gone. On
 * a busy machine it is not idle in many of them, since it is scheduled late.
 */
function heapAfter(flags: readonly string[], mostLooks: number): { before: number; after: number } {
  const program = `
    import { mock } from "node:test";
    import { getHeapStatistics } from "node:v8";
    import { promisify } from "node:util";
    const pause = promisify(setTimeout);
    mock.timers.enable({ apis: ["setTimeout"] });
    const { HeapTidier } = await import(${JSON.stringify(tidier)});
    const tidier = new HeapTidier();
    let kept = Array.from({ length: 300_000 }, (_, number) => ({ number }));
    kept = [];
    const before = getHeapStatistics().used_heap_size;
    let after = before;
    for (let looks = 0; looks < ${mostLooks} && after >= before - ${garbage}; looks += 1) {
      await pause(10);
      mock.timers.tick(5000);
      after = getHeapStatistics().used_heap_size;
    }
    tidier.dispose();
    console.log(JSON.stringify({ before, after }));
  `;
  const json: unknown = JSON.parse(
    execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
      encoding: "utf8",
    }),
  );
  assert.ok(typeof json === "object" && json !== null && "before" in json && "after" in json);
  return { before: Number(json.before), after: Number(json.after) };
}

test("A thread that is idle gives back what it no longer uses", () => {
  const { before, after } = heapAfter(["--expose-gc"], 1000);
  assert.ok(after < before - garbage, `${before} bytes, and ${after} after`);
});

test("does nothing if the runtime was not started for it", () => {
  const { before, after } = heapAfter([], 20);
  assert.ok(after > before - garbage, `${before} bytes, and ${after} after`);
});
