import assert from "node:assert/strict";
import { test } from "node:test";
import { crashService } from "../../bench/crash/service-rounds.ts";

test("a service that is killed at 6 random moments, while four windows and agents go on, loses nothing", async () => {
  const { acknowledged, onlyInLedger } = await crashService(6, 1);
  assert.ok(acknowledged > 0, "nothing was acknowledged");
  assert.ok(onlyInLedger > 0, "no transcript was deleted");
});
