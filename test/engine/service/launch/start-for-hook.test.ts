import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { beginService, forgetStart, noteLate } from "../../../../src/engine/service/launch/start-for-hook.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { place } from "../support/run-shim.ts";

test("hooks start a service once in a while, and at once where the last one has ended", async (t) => {
  const { home, folder } = place(t);
  const scratch = scratchFolder(t);
  const startMark = path.join(scratch, "begun");
  const program = path.join(scratch, "service.cjs");
  writeFileSync(program, `require("node:fs").appendFileSync(${JSON.stringify(startMark)}, "begun\\n");`);
  const count = () => (existsSync(startMark) ? readFileSync(startMark, "utf8").split("\n").length - 1 : 0);
  const begin = (later = 0) =>
    beginService({ home, program, userHome: folder, env: process.env, now: Date.now() + later });
  assert.equal(await begin(), true);
  assert.equal(await begin(), true);
  await waitUntil(() => count() === 1);
  forgetStart(home);
  forgetStart(home);
  assert.equal(await begin(), true);
  await waitUntil(() => count() === 2);
  noteLate(home);
  assert.equal(await begin(5000), false, "the last one was late a moment ago");
  assert.equal(await begin(120_000), true, "that was a while ago");
  await waitUntil(() => count() === 3);
  noteLate(home);
  assert.equal(await begin(-2000), true, "the clock was set back since");
  await waitUntil(() => count() === 4);
});
