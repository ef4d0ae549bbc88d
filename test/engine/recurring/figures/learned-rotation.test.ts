import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { learnRotation } from "../../../../src/engine/recurring/figures/learned-rotation.ts";
import { turnLimitOf } from "../../../../src/engine/recurring/wake/session-rotation.ts";
import type { WakeRow } from "../../../../src/engine/ledger/woken.ts";
import { wake } from "../../../extension/support/recurring.ts";
import { recurringAgent } from "../wake/support/agent.ts";

interface Costs {
  /** Cost of a wake with a new session, and of the next one. */
  readonly fresh: number;
  readonly least: number;
  /** Cost per earlier response. */
  readonly growth: number;
}

const turns = 4;
const costAt = ({ fresh, least, growth }: Costs, index: number) =>
  index === 0 ? fresh : Math.round(least + growth * index * turns);

/** A program's sessions with wakes that cost more with length. */
function played(sessions: number, wakes: number, costs: Costs): WakeRow[] {
  return Array.from({ length: sessions }, (_, session) =>
    Array.from({ length: wakes }, (_each, index) =>
      wake({
        id: `${session}.${index}`,
        sessionId: `s${session}`,
        at: session * 1_000_000 + index,
        turns,
        reason: index === 0 ? "other_task" : "reused",
        outcome: "completed",
        normalizedInput: costAt(costs, index),
      }),
    ),
  ).flat();
}

describe("the length from which a new session is cheaper", () => {
  const costs = { fresh: 40_000, least: 2000, growth: 60 };

  it("is learned from wakes of the program alone, with how many there were", () => {
    const wakes = played(8, 60, costs);
    const learned = learnRotation(wakes, "claude");
    assert.ok(learned !== null);
    assert.equal(learned.sessions, 8);
    assert.ok(learned.wakes > 100 && learned.wakes <= wakes.length);
    assert.equal(learnRotation(wakes, "codex"), null);
  });

  it("is null if too few are known, or no session became expensive", () => {
    assert.equal(learnRotation([], "claude"), null);
    assert.equal(learnRotation(played(4, 60, costs), "claude"), null);
    assert.equal(learnRotation(played(8, 5, costs), "claude"), null);
    assert.equal(learnRotation(played(8, 60, { ...costs, growth: 0 }), "claude"), null);
    const cut = played(8, 60, costs).map((each) => ({ ...each, outcome: "failed" as const }));
    assert.equal(learnRotation(cut, "claude"), null);
    // Sessions with a start that the ledger lacks.
    const begun = played(8, 60, costs).filter(({ reason }) => reason === "reused");
    assert.equal(learnRotation(begun, "claude"), null);
  });

  it("costs at most a sixth more than the best one", () => {
    fc.assert(
      fc.property(
        fc.record({
          fresh: fc.integer({ min: 15_000, max: 80_000 }),
          least: fc.integer({ min: 500, max: 4000 }),
          growth: fc.integer({ min: 20, max: 200 }),
        }),
        (each) => {
          const learned = learnRotation(played(6, 120, each), "claude");
          const average = (wakes: number) =>
            Array.from({ length: wakes }, (_, index) => costAt(each, index)).reduce(
              (sum, one) => sum + one,
              0,
            ) / wakes;
          const best = Math.min(...Array.from({ length: 120 }, (_, index) => average(index + 1)));
          if (learned === null) return;
          const wakes = Math.ceil(learned.turns / turns);
          assert.ok(average(wakes) <= best * (7 / 6), `${wakes} wakes: ${average(wakes)}, at best ${best}`);
        },
      ),
    );
  });

  it("gives way to the agent's file, and replaces the default", () => {
    const learned = { turns: 120 };
    const [own, none] = [recurringAgent("keeper", "rotation: { turns: 7 }"), recurringAgent("keeper")];
    assert.deepEqual(turnLimitOf(own, learned), { turns: 7, from: "file" });
    assert.deepEqual(turnLimitOf(none, learned), { turns: 120, from: "learned" });
    assert.deepEqual(turnLimitOf(none, null), { turns: 400, from: "default" });
  });
});
