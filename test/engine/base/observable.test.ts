import assert from "node:assert/strict";
import { it } from "node:test";
import { Observable } from "../../../src/engine/base/events.ts";

it("calls watchers when the value changes, but not when the same value is set again", () => {
  const badge = new Observable<{ readonly rows: readonly string[] } | undefined>(undefined);
  const reported: unknown[] = [];
  badge.onChange((value) => reported.push(value));
  badge.set(undefined);
  badge.set({ rows: ["a"] });
  badge.set({ rows: ["a"] });
  badge.set({ rows: ["a", "b"] });
  assert.deepEqual(reported, [{ rows: ["a"] }, { rows: ["a", "b"] }]);
  assert.deepEqual(badge.value, { rows: ["a", "b"] });
  badge.dispose();
  badge.set(undefined);
  assert.equal(reported.length, 2);
});
