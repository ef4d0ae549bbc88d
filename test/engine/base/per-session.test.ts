import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import { SessionMemory } from "../../../src/engine/base/per-session.ts";

const counted = { schema: z.object({ count: z.int().nonnegative() }), empty: { count: 0 } };
const named = { schema: z.string().max(9), empty: "" };

function memoryOf(most?: number) {
  const memory = new SessionMemory(most === undefined ? {} : { most });
  const [counts, names] = [memory.part("counts", counted), memory.part("names", named)];
  const changed: string[] = [];
  memory.onChange((session) => changed.push(session));
  return { memory, counts, names, changed };
}

describe("the memory of sessions", () => {
  it("is empty at first, and then stores each kind separately", () => {
    const { counts, names, changed } = memoryOf();
    assert.deepEqual([counts.of("a"), names.of("a")], [{ count: 0 }, ""]);
    counts.set("a", { count: 2 });
    names.set("b", "argo");
    assert.deepEqual([counts.of("a"), names.of("a"), names.of("b")], [{ count: 2 }, "", "argo"]);
    assert.deepEqual([...counts.entries()], [["a", { count: 2 }]]);
    assert.deepEqual(changed, ["a", "b"]);
  });

  it("reports only what changed", () => {
    const { counts, changed } = memoryOf();
    counts.set("a", { count: 0 });
    counts.set("a", { count: 1 });
    counts.set("a", { count: 1 });
    assert.deepEqual(changed, ["a"]);
  });

  it("forgets all of the session heard of longest ago when there are more than it keeps", () => {
    const { memory, counts, names, changed } = memoryOf(2);
    counts.set("a", { count: 1 });
    names.set("a", "argo");
    counts.set("b", { count: 1 });
    counts.set("a", { count: 1 });
    counts.set("c", { count: 1 });
    assert.deepEqual([...counts.entries()].map(([session]) => session).sort(), ["a", "c"]);
    assert.deepEqual([names.of("a"), memory.dump("b")], ["argo", null]);
    assert.ok(changed.includes("b"), "so that what was written of it is removed");
  });

  it("takes each name once", () => {
    const { memory } = memoryOf();
    assert.throws(() => memory.part("names", named), /kept twice/u);
  });

  it("checks written state with each kind's schema, and reports invalid state", () => {
    const { memory, counts, names, changed } = memoryOf();
    assert.deepEqual(memory.load("a", { counts: { count: -1 }, names: "argo", other: 5 }), ["counts"]);
    assert.deepEqual([counts.of("a"), names.of("a"), changed], [{ count: 0 }, "argo", []]);
  });

  it("is the same after any state was written and read", () => {
    const step = fc.record({ session: fc.constantFrom("a", "b", "c", "__proto__"), count: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 1, max: 4 }), (steps, most) => {
        const [one, other] = [memoryOf(most), memoryOf(most)];
        for (const { session, count } of steps) one.counts.set(session, { count });
        for (const [session] of one.counts.entries())
          other.memory.load(session, z.record(z.string(), z.unknown()).parse(one.memory.dump(session)));
        assert.deepEqual([...other.counts.entries()], [...one.counts.entries()]);
        assert.ok([...one.counts.entries()].length <= most);
      }),
    );
  });
});
