import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { namedByStart } from "../../../src/engine/rules/named-by-start.ts";

const named = (ids: readonly string[], wanted: string) => namedByStart(ids, wanted, (id) => id);

it("finds an item by its whole ID or by the start of it", () => {
  assert.deepEqual(named(["abc", "xyz"], "abc"), { kind: "one", item: "abc" });
  assert.deepEqual(named(["abc", "xyz"], "x"), { kind: "one", item: "xyz" });
  assert.deepEqual(named(["abc", "xyz"], "b"), { kind: "none" });
  assert.deepEqual(named(["abc", "abd", "xyz"], "ab"), { kind: "several", count: 2 });
});

it("prefers a whole ID to longer ones that begin with it, and takes nothing for no name", () => {
  assert.deepEqual(named(["s-10", "s-1", "s-11"], "s-1"), { kind: "one", item: "s-1" });
  assert.deepEqual(named(["abc"], ""), { kind: "none" });
});

it("counts items with one ID as one, in any order", () => {
  const id = fc.stringMatching(/^[a-c]{1,4}$/u);
  fc.assert(
    fc.property(fc.array(id, { maxLength: 12 }), id, (ids, wanted) => {
      const found = named(ids, wanted);
      const doubled = named([...ids, ...ids].toReversed(), wanted);
      assert.deepEqual(doubled, found);
      const begin = new Set(ids.filter((each) => each.startsWith(wanted)));
      if (ids.includes(wanted)) assert.deepEqual(found, { kind: "one", item: wanted });
      else if (begin.size > 1) assert.deepEqual(found, { kind: "several", count: begin.size });
      else assert.equal(found.kind, begin.size === 1 ? "one" : "none");
    }),
  );
});
