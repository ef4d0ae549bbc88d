import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  adviceLevels,
  adviceLimits,
  advise as adviseBy,
  urgency,
  type Advice,
  type AdviceThresholds,
  type ContextRoom,
} from "../../../src/engine/sessions/advice.ts";
import { measured, unknown } from "../../extension/support/session.ts";

const usual: AdviceThresholds = { wrapUpAt: 50, endTurnAt: 40 };
const hysteresis = 3;

/** The advice by a person's thresholds. @param remaining percent of the window left */
function advise(remaining: number, thresholds: AdviceThresholds, previous?: Advice): Advice {
  const room = { turns: 1, share: 0, percent: remaining };
  return adviseBy(room, thresholds, previous) ?? assert.fail();
}

/** The advice for these values of headroom in sequence. */
function through(remaining: readonly number[], thresholds = usual): Advice[] {
  let held: Advice | undefined;
  return remaining.map((each) => (held = advise(each, thresholds, held)));
}

const room = (turns: number | null, share: number | null): ContextRoom => ({ turns, share, percent: 50 });

describe("advice by the room until compaction", () => {
  const cases: readonly [turns: number | null, share: number, advice: Advice][] = [
    [7, 0.21, "CONTINUE"],
    [6, 0.9, "WRAP_UP"],
    [null, 0.2, "WRAP_UP"],
    [40, 0.2, "WRAP_UP"],
    [4, 0.09, "WRAP_UP"],
    [3, 0.9, "END_TURN"],
    [null, 0.08, "END_TURN"],
    [0, 0, "END_TURN"],
  ];
  for (const [turns, share, advice] of cases)
    it(`${turns ?? "unknown"} turns and ${share * 100} % of the room: ${advice}`, () => {
      assert.equal(adviseBy(room(turns, share), null), advice);
    });

  it("is unknown without a known room, and by thresholds without a known window", () => {
    assert.equal(adviseBy({ turns: null, share: null, percent: null }, null), null);
    assert.equal(adviseBy({ turns: 1, share: 0.1, percent: null }, usual), null);
  });

  it("does not flicker at a limit", () => {
    const given: Advice[] = [];
    for (const turns of [6, 7, 8])
      given.push(adviseBy(room(turns, 0.5), null, given.at(-1)) ?? assert.fail());
    for (const share of [0.2, 0.22, 0.24])
      given.push(adviseBy(room(8, share), null, given.at(-1)) ?? assert.fail());
    assert.deepEqual(given, ["WRAP_UP", "WRAP_UP", "CONTINUE", "WRAP_UP", "WRAP_UP", "CONTINUE"]);
  });

  const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
  const turns = fc.option(fc.nat(300), { nil: null });
  const anyRoom = fc.record({ turns, share, percent: fc.constant(50) });

  it("is delayed by earlier advice only when it eases, and is stable when repeated", () => {
    fc.assert(
      fc.property(anyRoom, fc.constantFrom(...adviceLevels), (each, before) => {
        const [fresh, given] = [adviseBy(each, null), adviseBy(each, null, before)];
        assert.equal(fresh === null, given === null);
        if (fresh === null || given === null) return;
        assert.ok(urgency(given) >= urgency(fresh));
        assert.ok(urgency(given) <= Math.max(urgency(fresh), urgency(before)));
        assert.equal(adviseBy(each, null, given), given);
      }),
    );
  });

  it("has limits that a chart can draw: of the compaction, of the window without one, or the user's own", () => {
    const [window, threshold] = [measured(200_000), measured(160_000)];
    assert.deepEqual(adviceLimits({ window, threshold, thresholds: null }), {
      wrapUp: 128_000,
      endTurn: 147_200,
    });
    assert.deepEqual(adviceLimits({ window, threshold: unknown, thresholds: null }), {
      wrapUp: 160_000,
      endTurn: 184_000,
    });
    assert.deepEqual(adviceLimits({ window, threshold, thresholds: usual }), {
      wrapUp: 100_000,
      endTurn: 120_000,
    });
    assert.equal(adviceLimits({ window: unknown, threshold: unknown, thresholds: null }), null);
  });
});

describe("advice by a person's thresholds", () => {
  it("follows them: at 50 percent remaining wrap up, under 40 end the turn", () => {
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
