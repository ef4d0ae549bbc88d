import assert from "node:assert/strict";
import { test } from "node:test";
import { maxTogether, orthogonalRows } from "../../../src/engine/verdict/orthogonal-rows.ts";

for (let count = 1; count <= maxTogether; count += 1)
  test(`With ${count} rules, any two agree in as many pairs as they differ, in the fewest possible pairs`, () => {
    const rows = orthogonalRows(count);
    const expected = [1, 2, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 16, 16, 16, 16][count - 1];
    assert.equal(rows.length, expected);
    for (const row of rows) assert.equal(row.length, count);
    for (let one = 0; one < count; one += 1)
      for (let other = one + 1; other < count; other += 1) {
        const product = rows.reduce((sum, row) => sum + (row[one] ?? 0) * (row[other] ?? 0), 0);
        assert.equal(product, 0, `rules ${one} and ${other}`);
      }
  });
