import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Like `waitUntil`, for an asynchronous condition. Milliseconds. */
export async function waitFor(isTrue: () => Promise<boolean>, within = 30_000): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, `not true within ${within} ms: ${isTrue.toString()}`);
    await pause(5);
  }
}
