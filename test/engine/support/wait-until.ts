import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Polls every few milliseconds; fails when the condition is not met within the time. Milliseconds. */
export async function waitUntil(isTrue: () => boolean, within = 5000): Promise<void> {
  const deadline = performance.now() + within;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, `not true within ${within} ms: ${isTrue.toString()}`);
    await pause(5);
  }
}
