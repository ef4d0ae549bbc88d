import assert from "node:assert/strict";
import { test } from "node:test";
import { anomalySentence } from "../../../src/extension/sessions/warnings/warnings-text.ts";
import { t } from "../support/session.ts";

test("an anomaly shows its figures, the usual value, and what to do", () => {
  assert.equal(
    anomalySentence({ cause: "costly-run", value: 84_000, usual: 20_000 }, t),
    "A run took 84,000 tokens, 4.2 times what is usual. Check what it did before you start the next one.",
  );
  assert.equal(
    anomalySentence({ cause: "cache-fall", value: 0.12, usual: 0.94 }, t),
    "Only 12% of the context comes from the cache; before it was 94%. " +
      "Each call costs more until the cache is warm again.",
  );
  assert.match(anomalySentence({ cause: "stall", value: 5, usual: null }, t), /^The context grows/u);
});

test("omits an unknown figure", () => {
  for (const cause of ["costly-run", "stall", "cache-fall"] as const)
    assert.doesNotMatch(anomalySentence({ cause, value: null, usual: null }, t), /\d|null|NaN/u);
  assert.doesNotMatch(anomalySentence({ cause: "costly-run", value: 9, usual: 0 }, t), /Infinity/u);
});
