import { plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  growthPerTurn,
  quantile,
  turnsLeft,
  type Growth,
} from "../../../src/engine/sessions/compaction-forecast.ts";
import { unknownFigure, type Figure } from "../../../src/engine/usage/token-counts.ts";

function growth(steps: readonly number[]): number | null {
  return growthPerTurn(steps).perTurn.value;
}

function measured(value: number): Figure {
  return { value, provenance: "measured", source: plainSentence("a test") };
}

/** Growth that is the same in each of many turns. */
function even(value: number): Growth {
  return { perTurn: measured(value), variation: 0, turns: 100 };
}

/** So many steps, of these sizes in turn. */
function repeated(sizes: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, index) => sizes[index % sizes.length] ?? 0);
}

describe("growth per turn", () => {
  it("is the mean of the steps", () => {
    assert.equal(growth(repeated([1000, 2000, 3000, 2000], 8)), 2000);
    assert.deepEqual(growthPerTurn(repeated([500], 9)).perTurn, {
      value: 500,
      provenance: "estimated",
      source: "the last 9 turns",
    });
  });

  it("is unknown with fewer than eight steps", () => {
    for (const count of [0, 1, 7]) assert.equal(growth(repeated([1000], count)), null, String(count));
    assert.equal(growthPerTurn([]).perTurn.provenance, "unknown");
  });

  it("limits the effect of a damaged figure", () => {
    const steps = repeated([900, 1000, 1100], 20);
    assert.ok((growth([...steps, 10_000_000]) ?? NaN) < 1200);
  });

  it("varies more where large steps come together", () => {
    const [large, small] = [repeated([5000], 16), repeated([500], 16)];
    const mixed = repeated([5000, 500], 64);
    const inPhases = [...large, ...small, ...large, ...small];
    assert.equal(growth(mixed), growth(inPhases));
    assert.ok(growthPerTurn(inPhases).variation > 3 * growthPerTurn(mixed).variation);
  });

  const steps = fc.array(fc.integer({ min: -5000, max: 20_000 }), { minLength: 8, maxLength: 300 });

  it("lies between the smallest and the largest step, and has a variation", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { perTurn, variation, turns } = growthPerTurn(all);
        const value = perTurn.value ?? assert.fail();
        assert.ok(value >= Math.min(...all) && value <= Math.max(...all));
        assert.ok(variation > 0);
        assert.equal(turns, Math.min(256, all.length));
      }),
    );
  });
});

describe("turns left", () => {
  it("are whole turns, and zero past the threshold", () => {
    assert.equal(turnsLeft(measured(9999), even(1000)).value, 9);
    assert.equal(turnsLeft(measured(0), even(1000)).value, 0);
    assert.equal(turnsLeft(measured(999), even(1000)).value, 0);
    assert.equal(turnsLeft(measured(9999), even(1000)).provenance, "estimated");
  });

  it("are unknown while the turns differ too much, but not close to compaction", () => {
    const uneven = { perTurn: measured(1000), variation: 1.5, turns: 20 };
    assert.equal(turnsLeft(measured(6000), uneven).value, null);
    assert.equal(turnsLeft(measured(6000), uneven).source, "the last turns differ too much");
    assert.equal(turnsLeft(measured(60_000), { ...uneven, turns: 200 }).value, 60);
    assert.equal(turnsLeft(measured(3900), uneven).value, 3);
  });

  it("are unknown, with the reason, if one of the two is, or if nothing grows", () => {
    assert.equal(turnsLeft(unknownFigure(plainSentence("no window")), even(1)).source, "no window");
    const tooFew = { ...even(1), perTurn: unknownFigure(plainSentence("too few")) };
    assert.equal(turnsLeft(measured(1), tooFew).source, "too few");
    for (const still of [0, 0.5, -200])
      assert.equal(turnsLeft(measured(5000), even(still)).source, "the context is not growing");
  });
});

describe("a quantile", () => {
  it("lies on a line between neighbours", () => {
    assert.equal(quantile([1], 0.1), 1);
    assert.equal(quantile([10, 20], 0.1), 11);
    assert.equal(quantile([1, 2, 3, 4, 5], 0.5), 3);
  });
});
