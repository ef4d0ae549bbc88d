import assert from "node:assert/strict";
import test from "node:test";
import { pauseAfter, pauseEnd } from "../../../../src/engine/recurring/wake/due.ts";
import { wake } from "../../../extension/support/recurring.ts";

const now = Date.parse("2026-11-27T09:10:00Z");

test("a pause ends in time, and at once where the clock that it was set by was ahead", () => {
  const row = wake({ outcome: "environment" });
  let pause = pauseAfter(null, row, now);
  for (let failure = 0; failure < 30; failure++) {
    assert.ok(pause !== null);
    assert.equal(pauseEnd(pause, now), pause.until);
    assert.equal(pauseEnd(pause, pause.until), null);
    assert.equal(pauseEnd(pause, now - 86_400_000), null);
    pause = pauseAfter(pause, row, now);
  }
  assert.equal(pauseEnd(null, now), null);
});
