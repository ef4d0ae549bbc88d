import assert from "node:assert/strict";
import { it } from "node:test";
import { Observable } from "../../../src/engine/base/observable.ts";

it("A value tells those who watch when it changes, and not when the same is set again", () => {
  const mark = new Observable<{ readonly rows: readonly string[] } | undefined>(undefined);
  const told: unknown[] = [];
  mark.onChange((value) => told.push(value));
  mark.set(undefined);
  mark.set({ rows: ["a"] });
  mark.set({ rows: ["a"] });
  mark.set({ rows: ["a", "b"] });
  assert.deepEqual(told, [{ rows: ["a"] }, { rows: ["a", "b"] }]);
  assert.deepEqual(mark.value, { rows: ["a", "b"] });
  mark.dispose();
  mark.set(undefined);
  assert.equal(told.length, 2);
});
