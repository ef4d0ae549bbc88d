import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { cellKey, scheduleOf, type Cell } from "../../../../src/engine/bench/execute/schedule.ts";
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

test("the sides of a task are beside each other, each of them first about as often as the other", () => {
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

test("a configuration is run with its own agent's tasks", () => {
  const other = { ...configuration("another"), agent: "sql" };
  const cells = scheduleOf(requestOf(tiny, { configurations: [configuration(), other] }));
  assert.ok(cells.every(({ side }) => side === 0));
});
