import assert from "node:assert/strict";
import { it } from "node:test";
import { phases } from "../../../../src/engine/guard/work.ts";
import { parametersOf } from "../../../../src/engine/guard/work/measures.ts";

it("thresholds are integers, allow at least two attempts, and are never later in trouble than in flow", () => {
  const struggling = parametersOf({ phase: "Struggling" });
  for (const phase of phases) {
    const { repeatsBeforeTelling, editsBeforeTelling, readsBeforeTelling } = parametersOf({ phase });
    for (const [value, least] of [
      [repeatsBeforeTelling, struggling.repeatsBeforeTelling],
      [editsBeforeTelling, struggling.editsBeforeTelling],
      [readsBeforeTelling, struggling.readsBeforeTelling],
    ] as const) {
      assert.ok(Number.isInteger(value) && value >= 2 && value <= 20, phase);
      assert.ok(value >= least, phase);
    }
  }
});

it("advises a new session at the fourth unchecked edit, and at the third repetition", () => {
  const { repeatsBeforeTelling, editsBeforeTelling } = parametersOf({ phase: "Warmup" });
  assert.deepEqual([repeatsBeforeTelling, editsBeforeTelling], [3, 4]);
});
