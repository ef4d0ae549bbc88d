import assert from "node:assert/strict";
import { test } from "node:test";
import type { InterimVerdict } from "../../../src/engine/jobs/answers/compare.ts";
import { describeInterim } from "../../../src/webview/rules/selection/selection.ts";

const look = (over: Partial<InterimVerdict>): InterimVerdict => ({
  round: 9,
  decision: "undecided",
  stop: null,
  saving: { value: 3175, low: -1888, high: 4416, level: 0.9 },
  moreRuns: 48,
  tokens: 900_000,
  ...over,
});

test("a saving has its interval, and a cost has the cost's", () => {
  assert.equal(
    describeInterim(look({})),
    "Round 9: it saves ~3,180 tokens a run (−1,890 to 4,420); 48 more runs would decide it.",
  );
  const cost = { value: -242, low: -1604, high: 1042, level: 0.9 };
  assert.match(describeInterim(look({ saving: cost })), /it costs ~242 tokens a run \(−1,040 to 1,600\);/u);
});

test("a saving shows what is left to prove, until no further round is run", () => {
  const shown = look({ decision: "cheaper-not-as-good" });
  assert.match(describeInterim(shown), /; that as many runs pass is still to be shown\.$/u);
  assert.match(describeInterim({ ...shown, stop: "decided" }), /; no further round is needed\.$/u);
});

test("shows only that nothing can be compared yet", () => {
  const nothing = look({ round: 1, saving: null, moreRuns: null });
  assert.equal(describeInterim(nothing), "Round 1: nothing can be compared yet.");
});
