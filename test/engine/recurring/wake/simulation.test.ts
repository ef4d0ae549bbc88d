import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { simulateWakes } from "./support/simulate.ts";

after(() => rmSync(path.join(tmpdir(), `purser-played-${process.pid}`), { recursive: true, force: true }));

describe("wakes, whenever processes are killed", () => {
  it("are never lost, doubled, or two of one agent at once, and each has its reason", async () => {
    const seen = { kills: 0, busy: 0, reasons: new Set<string>(), outcomes: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { kills, busy, reasons, outcomes } = await simulateWakes({ seed, wakes: 40 });
        seen.kills += kills;
        seen.busy += busy;
        for (const reason of reasons.keys()) seen.reasons.add(reason);
        for (const outcome of outcomes.keys()) seen.outcomes.add(outcome);
      }),
      { numRuns: 10 },
    );
    assert.ok(seen.kills > 20 && seen.busy > 5, `${seen.kills} kills, ${seen.busy} refused`);
    assert.deepEqual([...seen.reasons].toSorted(), ["first", "forced", "invalid_resume", "reused"]);
    assert.deepEqual([...seen.outcomes].toSorted(), ["completed", "environment", "failed", "interrupted"]);
  });
});
