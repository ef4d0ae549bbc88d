import assert from "node:assert/strict";
import test from "node:test";
import { SessionMemory } from "../../../src/engine/base/per-session.ts";
import { GuardArms } from "../../../src/engine/hooks/guard-arms.ts";

test("A session keeps its draw over a restart, before the ledger has answered, until its trial has ended", () => {
  const memory = new SessionMemory();
  const arms = new GuardArms(memory);
  arms.keep(["t1", "t2"]);
  arms.draw("t1", "s", ["output"]);
  arms.draw("t2", "s", ["advice"]);
  arms.draw("unknown", "s", ["loops"]);
  assert.deepEqual(arms.observing("s"), ["output", "advice"]);
  const written = memory.dump("s");
  assert.ok(written !== null);
  const nextMemory = new SessionMemory();
  const next = new GuardArms(nextMemory);
  assert.deepEqual(nextMemory.load("s", written), []);
  assert.deepEqual(next.observing("s"), ["output", "advice"]);
  next.keep(["t2"]);
  assert.deepEqual(next.observing("s"), ["advice"], "t1 was stopped");
  next.draw("t2", "s", []);
  assert.deepEqual(next.observing("s"), []);
  assert.equal(next.isObserving("other", "advice"), false);
});
