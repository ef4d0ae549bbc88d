import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeText } from "../../../../src/engine/cli/ledger/ledger-status.ts";

test("sizes are in the unit that a person would use", () => {
  assert.deepEqual([0, 999, 1000, 999_499, 999_500, 12_345_678].map(sizeText), [
    "0 bytes",
    "999 bytes",
    "1 kB",
    "999 kB",
    "1.0 MB",
    "12.3 MB",
  ]);
});
