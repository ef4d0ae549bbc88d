import assert from "node:assert/strict";
import test from "node:test";
import { Debounce } from "../../../src/engine/base/timing.ts";

test("A job runs once after a burst, and not later than so long after its beginning", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const timer = new Debounce({ quiet: 10, most: 25 }, () => (runs += 1));
  const pass = (times: number) => {
    for (let time = 0; time < times; time += 1) {
      timer.ask();
      t.mock.timers.tick(9);
    }
  };
  pass(2);
  assert.equal(runs, 0);
  t.mock.timers.tick(1);
  assert.equal(runs, 1);
  t.mock.timers.tick(100);
  assert.equal(runs, 1);
  pass(3);
  assert.equal(runs, 2);
  timer.ask();
  timer.dispose();
  t.mock.timers.tick(100);
  assert.equal(runs, 2);
});
