import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { controlsFor, controlsOf, maxArms } from "../../../../src/engine/bench/plan.ts";
import {
  cellKey,
  scheduleOf,
  scheduleRound,
  type Cell,
} from "../../../../src/engine/bench/execute/schedule.ts";
import { configuration, makeTinyBench, requestOf, type TinyBench } from "../support/tiny-suite.ts";

const names = ["one", "two", "three", "four", "five"];
let tiny: TinyBench;
before(async () => {
  tiny = await makeTinyBench(names);
});
after(() => tiny.remove());

const asked = fc.record({
  seed: fc.integer(),
  runs: fc.integer({ min: 1, max: 6 }),
  of: fc.integer({ min: 1, max: 7 }),
});
const keysOf = (cells: readonly Cell[]) => cells.map(cellKey);

test("every task is run with every side in every round, once", () => {
  fc.assert(
    fc.property(asked, ({ seed, runs }) => {
      const keys = keysOf(scheduleOf(requestOf(tiny, { seed, runs })));
      assert.equal(keys.length, runs * names.length * 2);
      assert.equal(new Set(keys).size, keys.length);
    }),
  );
});

test("shards share a schedule out without leaving or repeating a run, and keep a task's sides together", () => {
  fc.assert(
    fc.property(asked, ({ seed, runs, of }) => {
      const whole = scheduleOf(requestOf(tiny, { seed, runs }));
      const shards = Array.from({ length: of }, (_, index) =>
        scheduleOf(requestOf(tiny, { seed, runs, shard: { index: index + 1, of } })),
      );
      assert.deepEqual(keysOf(shards.flat()).sort(), keysOf(whole).sort());
      for (const shard of shards) {
        // In the order of the whole schedule.
        const own = new Set(keysOf(shard));
        assert.deepEqual(
          keysOf(shard),
          keysOf(whole).filter((key) => own.has(key)),
        );
        assert.equal(shard.length % 2, 0);
      }
      const sizes = shards.map(({ length }) => length);
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 2, `uneven: ${sizes.join(", ")}`);
    }),
  );
});

test("the sides of a task are adjacent, each first about as often as the other", () => {
  const cells = scheduleOf(requestOf(tiny, { runs: 100, seed: 3 }));
  let first = 0;
  for (let index = 0; index < cells.length; index += 2) {
    const [one, other] = [cells[index], cells[index + 1]];
    assert.deepEqual([one?.taskId, one?.round], [other?.taskId, other?.round]);
    assert.notEqual(one?.side, other?.side);
    first += one?.side ?? 0;
  }
  assert.ok(first > 200 && first < 300, `${first} of 500`);
});

test("another seed is another order, and the same seed the same", () => {
  const order = (seed: number) => keysOf(scheduleOf(requestOf(tiny, { seed, runs: 4 })));
  assert.deepEqual(order(1), order(1));
  assert.notDeepEqual(order(1), order(2));
});

test("a task's sides are in the same order whichever other tasks are run", () => {
  const sides = (taskIds: readonly string[]) =>
    scheduleOf(requestOf(tiny, { taskIds, runs: 8 }))
      .filter(({ taskId }) => taskId === "backend-two")
      .map(({ side }) => side);
  assert.deepEqual(sides(["backend-two"]), sides(tiny.suite.tasks.map(({ id }) => id)));
});

test("a configuration runs with its own agent's tasks", () => {
  const other = { ...configuration("another"), agent: "sql" };
  const cells = scheduleOf(requestOf(tiny, { configurations: [configuration(), other] }));
  assert.ok(cells.every(({ side }) => side === 0));
});

/** A request of so many arms. */
function armsOf(arms: number) {
  const controls = Array.from({ length: controlsOf(arms) }, () => configuration());
  const changed = Array.from({ length: arms }, (_, index) => ({
    ...configuration(`arm ${index + 1}`),
    model: `model-${index + 1}`,
  }));
  return { configurations: [...controls, ...changed], design: "arms" as const, controls: controls.length };
}

test("every arm is run once with each task in each round, and the control √k times on average", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: maxArms }), (seed, arms) => {
      const { controls, ...about } = armsOf(arms);
      const cells = scheduleOf(requestOf(tiny, { seed, runs: 40, ...about }));
      assert.equal(new Set(keysOf(cells)).size, cells.length);
      const places = 40 * names.length;
      for (let side = controls; side < controls + arms; side += 1)
        assert.equal(cells.filter((cell) => cell.side === side).length, places);
      const asItIs = cells.filter(({ side }) => side < controls);
      assert.ok(Math.abs(asItIs.length - places * Math.sqrt(arms)) <= 1);
      for (const task of names) {
        const own = asItIs.filter(({ taskId }) => taskId === `backend-${task}`).length;
        assert.ok(Math.abs(own - 40 * Math.sqrt(arms)) <= 6, `${task}: ${own}`);
      }
    }),
  );
});

test("a settled arm is not run any further, and a remaining one has as many controls as alone", () => {
  const request = requestOf(tiny, armsOf(3));
  const left = scheduleRound(request, 2, null, [1, 3]);
  assert.deepEqual(
    [...new Set(left.map(({ side }) => side))].sort().filter((side) => side > 1),
    [2, 4],
  );
  const alone = scheduleRound(request, 2, null, [2]);
  assert.deepEqual(alone.map(({ side }) => side).sort(), [0, 0, 0, 0, 0, 3, 3, 3, 3, 3]);
});

test("shards of a comparison of arms divide its tasks, and are independent", () => {
  fc.assert(
    fc.property(asked, fc.integer({ min: 2, max: 5 }), ({ seed, runs, of }, arms) => {
      const about = { seed, runs, ...armsOf(arms) };
      const shards = Array.from({ length: of }, (_, index) =>
        scheduleOf(requestOf(tiny, { ...about, shard: { index: index + 1, of } })),
      );
      assert.deepEqual(keysOf(shards.flat()).sort(), keysOf(scheduleOf(requestOf(tiny, about))).sort());
    }),
  );
});

test("so many configurations are so many arms and their controls, whichever the number", () => {
  for (let arms = 1; arms <= maxArms; arms += 1)
    assert.equal(controlsFor(arms + controlsOf(arms)), controlsOf(arms));
});
