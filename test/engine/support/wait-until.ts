import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Polls every few milliseconds; fails when the condition is not met within the time, which only a failing test takes. Milliseconds. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, within = 30_000): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, `not true within ${within} ms: ${isTrue.toString()}`);
    await pause(5);
  }
}
