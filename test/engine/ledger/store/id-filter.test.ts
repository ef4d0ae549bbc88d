import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { IdFilter } from "../../../../src/engine/ledger/store/id-filter.ts";

void test("an id filter knows every id that was added", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (ids) => {
      const filter = new IdFilter();
      for (const id of ids) filter.add(id);
      for (const id of ids) assert.equal(filter.add(id), true);
    }),
  );
});

void test("an id filter takes few new ids for known ones", () => {
  const filter = new IdFilter();
  let mistaken = 0;
  for (let number = 0; number < 100_000; number += 1) {
    mistaken += Number(filter.add(`msg_${number}`));
    mistaken += Number(filter.add(`msg_01${number.toString(16).padStart(24, "0")}`));
  }
  assert.ok(mistaken < 1000, `${mistaken} of 200,000`);
});
