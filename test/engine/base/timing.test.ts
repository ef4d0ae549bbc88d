import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Throttle } from "../../../src/engine/base/timing/throttle.ts";

function makeThrottle(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const job = t.mock.fn(() => true);
  const throttle = new Throttle(500, job);
  return { throttle, job, pass: (ms: number) => t.mock.timers.tick(ms), runs: () => job.mock.callCount() };
}

describe("a throttle", () => {
  it("runs the first request at once", (t) => {
    const { throttle, runs } = makeThrottle(t);
    throttle.request();
    assert.equal(runs(), 1);
  });

  it("lets the next request run at once when there was nothing to do", (t) => {
    const { throttle, job, runs, pass } = makeThrottle(t);
    job.mock.mockImplementation(() => false);
    throttle.request();
    throttle.request();
    assert.equal(runs(), 2);
    job.mock.mockImplementation(() => true);
    throttle.request();
    throttle.request();
    assert.equal(runs(), 3);
    pass(500);
    assert.equal(runs(), 4);
  });

  it("runs many requests within the interval once more, at its end", (t) => {
    const { throttle, runs, pass } = makeThrottle(t);
    for (let count = 0; count < 10; count += 1) throttle.request();
    pass(499);
    assert.equal(runs(), 1);
    pass(1);
    assert.equal(runs(), 2);
    pass(5000);
    assert.equal(runs(), 2);
  });

  it("runs at once again after a quiet interval", (t) => {
    const { throttle, runs, pass } = makeThrottle(t);
    throttle.request();
    pass(500);
    throttle.request();
    assert.equal(runs(), 2);
  });

  it("runs at most once per interval, for any number of requests", (t) => {
    const { throttle, runs, pass } = makeThrottle(t);
    for (let elapsed = 0; elapsed < 5000; elapsed += 10) {
      throttle.request();
      pass(10);
    }
    assert.equal(runs(), 11);
  });

  it("does not lose a request made by the job itself", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let runs = 0;
    const throttle = new Throttle(500, () => {
      runs += 1;
      if (runs === 1) throttle.request();
      return true;
    });
    throttle.request();
    assert.equal(runs, 1);
    t.mock.timers.tick(500);
    assert.equal(runs, 2);
  });

  it("continues after a job that threw", (t) => {
    const { throttle, job, runs, pass } = makeThrottle(t);
    job.mock.mockImplementationOnce(() => {
      throw new Error("broken");
    });
    assert.throws(() => throttle.request(), /broken/u);
    throttle.request();
    pass(500);
    assert.equal(runs(), 2);
  });

  it("runs nothing after it is disposed, for earlier or later requests", (t) => {
    const { throttle, runs, pass } = makeThrottle(t);
    throttle.request();
    throttle.request();
    throttle.dispose();
    throttle.request();
    pass(5000);
    assert.equal(runs(), 1);
  });

  it("stays quiet when its own job disposes it", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let runs = 0;
    const throttle = new Throttle(500, () => {
      runs += 1;
      throttle.request();
      throttle.dispose();
      return true;
    });
    throttle.request();
    t.mock.timers.tick(5000);
    assert.equal(runs, 1);
  });
});
