import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  adviceLevels,
  advise,
  urgency,
  type Advice,
  type AdviceThresholds,
} from "../../../src/engine/sessions/advice.ts";

const usual: AdviceThresholds = { wrapUpAt: 50, endTurnAt: 40 };
const hysteresis = 3;

/** The advice for these values of headroom in sequence. */
function through(remaining: readonly number[], thresholds = usual): Advice[] {
  let held: Advice | undefined;
  return remaining.map((each) => (held = advise(each, thresholds, held)));
}

describe("advice", () => {
  it("follows the thresholds: at 50 percent remaining wrap up, under 40 end the turn", () => {
    const table: readonly (readonly [number, Advice])[] = [
      [100, "CONTINUE"],
      [62, "CONTINUE"],
      [50.01, "CONTINUE"],
      [50, "WRAP_UP"],
      [45, "WRAP_UP"],
      [40, "WRAP_UP"],
      [39.99, "END_TURN"],
      [0, "END_TURN"],
    ];
    for (const [remaining, advice] of table) assert.equal(advise(remaining, usual), advice, `${remaining} %`);
  });

  it("follows the thresholds the user set", () => {
    const own = { wrapUpAt: 20, endTurnAt: 5 };
    assert.deepEqual(through([21, 20, 5, 4.9], own), ["CONTINUE", "WRAP_UP", "WRAP_UP", "END_TURN"]);
    assert.deepEqual(through([70, 50, 30], { wrapUpAt: 0, endTurnAt: 0 }), Array(3).fill("CONTINUE"));
  });

  it("ends the turn even with swapped thresholds", () => {
    const turned = { wrapUpAt: 30, endTurnAt: 40 };
    assert.deepEqual(through([45, 39], turned), ["CONTINUE", "END_TURN"]);
  });

  it("becomes calmer only after three points have come back", () => {
    assert.deepEqual(through([39, 41, 42.9, 43]), ["END_TURN", "END_TURN", "END_TURN", "WRAP_UP"]);
    assert.deepEqual(through([50, 52, 53, 53.1]), ["WRAP_UP", "WRAP_UP", "WRAP_UP", "CONTINUE"]);
    assert.deepEqual(through([10, 96]), ["END_TURN", "CONTINUE"], "much at once");
  });

  it("is ordered from calm to urgent", () => {
    assert.deepEqual(adviceLevels.map(urgency), [0, 1, 2]);
  });

  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  const thresholds = fc.record({ wrapUpAt: percent, endTurnAt: percent });
  const previous = fc.option(fc.constantFrom(...adviceLevels), { nil: undefined });

  it("is never calmer than the remaining room, nor more urgent than three points less would be", () => {
    fc.assert(
      fc.property(percent, thresholds, previous, (remaining, set, before) => {
        const given = urgency(advise(remaining, set, before));
        assert.ok(given >= urgency(advise(remaining, set)));
        assert.ok(given <= urgency(advise(remaining - hysteresis, set)));
      }),
    );
  });

  it("is never calmer for less room", () => {
    fc.assert(
      fc.property(percent, percent, thresholds, previous, (a, b, set, before) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        assert.ok(urgency(advise(less, set, before)) >= urgency(advise(more, set, before)));
      }),
    );
  });

  it("does not flicker: a figure that hovers within three points changes it at most once per level", () => {
    const hovering = fc.array(fc.double({ min: 0, max: hysteresis, noNaN: true }), { minLength: 2 });
    fc.assert(
      fc.property(percent, hovering, thresholds, (around, offsets, set) => {
        const given = through(
          offsets.map((offset) => around + offset * 0.999),
          set,
        );
        const changes = given.slice(1).filter((advice, index) => advice !== given[index]).length;
        assert.ok(changes <= 2, given.join(" "));
        const urgencies = given.map(urgency);
        assert.deepEqual(urgencies, urgencies.toSorted(), "it only grows more urgent");
      }),
    );
  });
});
