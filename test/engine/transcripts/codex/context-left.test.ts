import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codexContextLeft } from "../../../../src/engine/transcripts/codex/read-rollout.ts";

describe("the remaining context as Codex shows it", () => {
  for (const [window, used, left] of [
    [258_400, 0, 100],
    [258_400, 12_000, 100],
    [258_400, 135_200, 50],
    [258_400, 258_400, 0],
    [258_400, 400_000, 0],
    [12_000, 0, 0],
    [8_000, 0, 0],
    [0, 0, 0],
  ] as const)
    it(`is ${left} % of ${window} with ${used} used`, () =>
      assert.equal(codexContextLeft({ window, used }), left));
});
