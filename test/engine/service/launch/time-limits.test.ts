import assert from "node:assert/strict";
import test from "node:test";
import { coldPromptEnd } from "../../../../src/engine/service/launch/time-limits.ts";

test("A cold prompt ends within 0.3 s of Node's own start, and does not wait if Node starts slowly", () => {
  for (let boot = 0; boot < 1000; boot += 7) assert.ok(coldPromptEnd(boot) - boot < 300);
  assert.ok(coldPromptEnd(40) > 200);
  assert.equal(coldPromptEnd(250), 250);
});
