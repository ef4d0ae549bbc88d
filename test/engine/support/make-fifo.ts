import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";

/** How long a test with a FIFO may take, and when somebody writes to it after all. Milliseconds. */
const [longest, rescue] = [8000, 10_000];
const writer = `setTimeout(() => fs.closeSync(fs.openSync(process.argv[1], "r+")), ${rescue})`;

/**
 * Makes a FIFO, which nobody writes to; false where the system has none. A test that waits for it would wait for ever:
 * it is let go after a while, and fails.
 */
export function makeFifo(t: Pick<TestContext, "after">, place: string): boolean {
  if (process.platform === "win32" || spawnSync("mkfifo", [place]).status !== 0) return false;
  const rescuer = spawn(process.execPath, ["-e", writer, place], { stdio: "ignore" });
  const started = performance.now();
  t.after(() => {
    rescuer.kill();
    assert.ok(performance.now() - started < longest, `waited for ${place}`);
  });
  return true;
}
