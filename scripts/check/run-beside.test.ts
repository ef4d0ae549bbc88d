import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Step } from "./steps.ts";
import { runParallel } from "./run-beside.ts";

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  title: name,
  command: ["true"],
  ...more,
});

/** Runs steps that end on request, and records which run. */
function scene(steps: readonly Step[], most: number) {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const all = runParallel(steps, most, ({ name }) => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  });
  return {
    all,
    begun,
    running: () => [...ends.keys()],
    end: async (name: string) => {
      ends.get(name)?.();
      ends.delete(name);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("steps run beside each other as many as may, in their order", async () => {
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

test("reports steps that need each other, instead of waiting for them", async () => {
  const circle = [step("a", { needs: ["b"] }), step("b", { needs: ["a"] })];
  await assert.rejects(
    runParallel(circle, 2, () => Promise.resolve()),
    /a, b/u,
  );
});

test("whatever the steps, each runs once, after what it needs, and never more than may run beside each other", async () => {
  const drawn = fc.array(fc.array(fc.nat(20)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(drawn, fc.integer({ min: 1, max: 3 }), async (made, most) => {
      // A step only needs earlier steps, so there is no cycle.
      const steps = made.map((needs, index) =>
        step(`s${index}`, { needs: index === 0 ? [] : needs.map((need) => `s${need % index}`) }),
      );
      const ended = new Set<string>();
      let running = 0;
      await runParallel(steps, most, async ({ name, needs = [] }) => {
        assert.ok(needs.every((need) => ended.has(need)));
        running += 1;
        assert.ok(running <= most);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        assert.ok(!ended.has(name));
        ended.add(name);
      });
      assert.equal(ended.size, steps.length);
    }),
  );
});
