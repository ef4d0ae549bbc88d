import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Processors } from "../../../../src/engine/bench/execute/processors.ts";
import { runBench } from "../../../../src/engine/bench/execute/run-bench.ts";
import { makeTinyBench, playing, portsOf, requestOf, solves, type TinyBench } from "../support/tiny-suite.ts";

let tiny: TinyBench;

beforeEach(async () => {
  tiny = await makeTinyBench();
});
afterEach(async () => {
  await tiny.remove();
});

/** Waits for the load to fall, each as long as an interval. */
interface Waits {
  /** Milliseconds. */
  readonly spans: number[];
  /** Waits that the bench ended. */
  ended: number;
}

/**
 * Makes the tiny bench's eight runs, two at a time. The first runs wait until `together` of them are under way.
 * @param wait called for each wait; resolves when the time has passed
 */
async function runsOf(
  isBusy: () => boolean,
  { together, wait }: { readonly together: number; readonly wait: (waits: Waits) => Promise<void> },
) {
  const waits: Waits = { spans: [], ended: 0 };
  const processors: Processors = {
    isBusy,
    wait: async (span, signal) => {
      waits.spans.push(span);
      const end = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          waits.ended += 1;
          resolve();
        });
      });
      await Promise.race([wait(waits), end]);
    },
  };
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  let [underWay, most] = [0, 0];
  const driver = playing(async (task) => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay >= together) release();
    await all;
    underWay -= 1;
    return solves(task);
  });
  const made = await runBench(
    requestOf(tiny, { parallel: 2 }),
    portsOf(tiny, driver, { processors }),
    new AbortController().signal,
    () => undefined,
  );
  assert.ok(made.ok, made.ok ? "" : made.detail.text);
  assert.deepEqual(made.value.state, { kind: "done" });
  assert.equal(made.value.runs.length, 8);
  return { most, waits };
}

const forever = new Promise<void>(() => undefined);

test("on an idle machine, two runs are under way at a time", async () => {
  const { most, waits } = await runsOf(() => false, { together: 2, wait: () => forever });
  assert.equal(most, 2);
  assert.deepEqual(waits.spans, []);
});

test("while the processors are busy, one run is under way, and the other's wait ends with the last", async () => {
  const { most, waits } = await runsOf(() => true, { together: 1, wait: () => forever });
  assert.equal(most, 1);
  assert.deepEqual([waits.spans.length, waits.ended], [1, 1]);
});

test("once the processors are free, the second run begins", async () => {
  let isBusy = true;
  const { most, waits } = await runsOf(() => isBusy, {
    together: 2,
    wait: () => {
      isBusy = false;
      return Promise.resolve();
    },
  });
  assert.equal(most, 2);
  assert.equal(waits.spans.length, 1);
});

test("on a machine that is always busy, the second run begins after a quarter of a minute", async () => {
  const { most, waits } = await runsOf(() => true, {
    together: 2,
    // Later runs wait for the bench's end.
    wait: ({ spans }) => (spans.length <= 3 ? Promise.resolve() : forever),
  });
  assert.equal(most, 2);
  assert.equal(
    waits.spans.slice(0, 3).reduce((sum, span) => sum + span, 0),
    15_000,
  );
});
