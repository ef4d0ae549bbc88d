import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Step } from "./check-steps.ts";
import { runBeside } from "./run-beside.ts";

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  title: name,
  command: ["true"],
  ...more,
});

/** Runs steps that end when they are told to, and notes what runs. */
function scene(steps: readonly Step[], room: number) {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const all = runBeside(steps, room, ({ name }) => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  });
  return {
    ...{ all, begun },
    running: () => [...ends.keys()],
    end: async (name: string) => {
      ends.get(name)?.();
      ends.delete(name);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("steps run beside each other as far as there is room, in their order", async () => {
  const { all, begun, end, running } = scene([step("a"), step("b"), step("c"), step("d")], 2);
  assert.deepEqual(running(), ["a", "b"]);
  await end("b");
  assert.deepEqual(running(), ["a", "c"]);
  await end("a");
  await end("c");
  await end("d");
  await all;
  assert.deepEqual(begun, ["a", "b", "c", "d"]);
});

test("a step waits for those it needs, and lets others go before it", async () => {
  const { all, end, running } = scene(
    [step("package"), step("eyes", { needs: ["package"] }), step("unit")],
    2,
  );
  assert.deepEqual(running(), ["package", "unit"]);
  await end("package");
  assert.deepEqual(running(), ["unit", "eyes"]);
  await end("unit");
  await end("eyes");
  await all;
});

test("a step that takes all the room runs alone, and nothing that comes after overtakes it for ever", async () => {
  const { all, end, running } = scene([step("a"), step("whole", { room: 9 }), step("b")], 2);
  assert.deepEqual(running(), ["a"]);
  await end("a");
  assert.deepEqual(running(), ["whole"]);
  await end("whole");
  assert.deepEqual(running(), ["b"]);
  await end("b");
  await all;
});

test("steps that need each other are said to, instead of waited for", async () => {
  const circle = [step("a", { needs: ["b"] }), step("b", { needs: ["a"] })];
  await assert.rejects(
    runBeside(circle, 2, () => Promise.resolve()),
    /a, b/u,
  );
});

test("whatever the steps, each runs once, after what it needs, and never more than there is room for", async () => {
  const drawn = fc.array(fc.record({ room: fc.integer({ min: 1, max: 4 }), needs: fc.array(fc.nat(20)) }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(drawn, fc.integer({ min: 1, max: 3 }), async (made, room) => {
      // A step needs only steps before it: so there is no circle.
      const steps = made.map(({ room: takes, needs }, index) =>
        step(`s${index}`, {
          room: takes,
          needs: index === 0 ? [] : needs.map((need) => `s${need % index}`),
        }),
      );
      const ended = new Set<string>();
      let taken = 0;
      await runBeside(steps, room, async ({ name, room: takes = 1, needs = [] }) => {
        assert.ok(needs.every((need) => ended.has(need)));
        taken += Math.min(takes, room);
        assert.ok(taken <= room);
        await new Promise((resolve) => setImmediate(resolve));
        taken -= Math.min(takes, room);
        assert.ok(!ended.has(name));
        ended.add(name);
      });
      assert.equal(ended.size, steps.length);
    }),
  );
});
