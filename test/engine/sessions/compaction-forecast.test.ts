import { plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { growthPerTurn, quantile, turnsLeft } from "../../../src/engine/sessions/compaction-forecast.ts";
import { unknownFigure, type Figure } from "../../../src/engine/usage/token-counts.ts";

function growth(steps: readonly number[]): number | null {
  return growthPerTurn(steps).value;
}

function measured(value: number): Figure {
  return { value, provenance: "measured", source: plainSentence("a test") };
}

describe("growth per turn", () => {
  it("is the mean of ordinary steps", () => {
    assert.equal(growth([1000, 2000, 3000, 2000]), 2000);
    assert.deepEqual(growthPerTurn([500, 500, 500, 500, 500]), {
      value: 500,
      provenance: "estimated",
      source: "the last 5 turns",
    });
  });

  it("is unknown with fewer than four steps", () => {
    for (const steps of [[], [1000], [1000, 1000], [1000, 1000, 1000]])
      assert.equal(growth(steps), null, String(steps));
    assert.equal(growthPerTurn([]).provenance, "unknown");
  });

  it("uses the last twenty steps", () => {
    assert.equal(growth([...Array<number>(30).fill(9000), ...Array<number>(20).fill(100)]), 100);
  });

  it("limits the effect of one huge read, even among four steps", () => {
    for (const huge of [100_000, 10_000_000]) {
      assert.equal(growth([1000, 1200, huge, 1100]), growth([1000, 1200, 10_000, 1100]));
      assert.ok((growth([1000, 1200, huge, 1100]) ?? NaN) < 1300);
    }
  });

  const steps = fc.array(fc.integer({ min: -5000, max: 20_000 }), { minLength: 3, maxLength: 19 });

  it("changes through one outlier at most by the distance of the other steps", () => {
    fc.assert(
      fc.property(steps, fc.nat(), fc.integer({ min: -1e9, max: 1e9 }), (others, index, outlier) => {
        const all = others.toSpliced(index % (others.length + 1), 0, outlier);
        const low = Math.min(...others);
        const high = Math.max(...others);
        const slack = (1.5 * (high - low)) / all.length + 1e-6;
        const found = growth(all);
        if (found === null) return;
        assert.ok(found >= low - slack && found <= high + slack, `${found} of ${String(all)}`);
      }),
    );
  });

  it("is unknown while the steps differ too much for a mean", () => {
    assert.equal(growth([20_000, 15_000, 500, 500]), null);
    assert.equal(growthPerTurn([20_000, 15_000, 500, 500]).source, "the last turns differ too much");
  });
});

describe("turns left", () => {
  it("are whole turns, and zero past the threshold", () => {
    assert.equal(turnsLeft(measured(9999), measured(1000)).value, 9);
    assert.equal(turnsLeft(measured(0), measured(1000)).value, 0);
    assert.equal(turnsLeft(measured(999), measured(1000)).value, 0);
    assert.equal(turnsLeft(measured(9999), measured(1000)).provenance, "estimated");
  });

  it("are unknown, with the reason, if one of the two is, or if nothing grows", () => {
    assert.equal(turnsLeft(unknownFigure(plainSentence("no window")), measured(1)).source, "no window");
    assert.equal(turnsLeft(measured(1), unknownFigure(plainSentence("too few"))).source, "too few");
    for (const still of [0, 0.5, -200])
      assert.equal(turnsLeft(measured(5000), measured(still)).source, "the context is not growing");
  });
});

describe("a quantile", () => {
  it("lies on a line between neighbours", () => {
    assert.equal(quantile([1], 0.1), 1);
    assert.equal(quantile([10, 20], 0.1), 11);
    assert.equal(quantile([1, 2, 3, 4, 5], 0.5), 3);
  });
});
