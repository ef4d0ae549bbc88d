import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";

/** Time limit of a test with a FIFO, which only a failing one comes near, and the time after which a rescuer writes to it. Milliseconds. */
const [longest, rescue] = [60_000, 90_000];
const writer = `setTimeout(() => fs.closeSync(fs.openSync(process.argv[1], "r+")), ${rescue})`;

/**
 * Makes a FIFO without a writer; returns false where the system has none. A test that waits for it would wait forever:
 * a rescuer releases it after a while, and it fails.
 */
export function makeFifo(t: Pick<TestContext, "after">, path: string): boolean {
  if (process.platform === "win32" || spawnSync("mkfifo", [path]).status !== 0) return false;
  const rescuer = spawn(process.execPath, ["-e", writer, path], { stdio: "ignore" });
  const started = performance.now();
  t.after(() => {
    rescuer.kill();
    assert.ok(performance.now() - started < longest, `waited for ${path}`);
  });
  return true;
}
