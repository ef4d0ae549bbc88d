import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  combineSavings,
  type SavingPart,
} from "../../../../src/engine/verdict/statistics/combined-saving.ts";
import { patientBoundaries } from "../../../../src/engine/verdict/statistics/boundaries.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { atMost } from "../support/samples.ts";

/** A part with this mean and error of its logarithms. */
function part(mean: number, error: number, boundary = 2): SavingPart {
  const share = (exponent: number) => -Math.expm1(-exponent);
  const reach = boundary * error;
  const saving = { value: share(mean), low: share(mean - reach), high: share(mean + reach), level: 0.9 };
  return { saving, boundary };
}

test("Two equally precise parts count the same, and give a narrower interval", () => {
  const both = combineSavings([part(0.1, 0.04), part(0.14, 0.04)]);
  assert.ok(both);
  const exponent = (share: number) => -Math.log1p(-share);
  assert.ok(Math.abs(exponent(both.saving.value) - 0.12) < 1e-12);
  const reach = exponent(both.saving.high) - exponent(both.saving.value);
  assert.ok(Math.abs(reach - (2 * 0.04) / Math.SQRT2) < 1e-12);
});

test("One part alone is not combined, and neither are two that contradict each other, nor an uninformative one", () => {
  assert.equal(combineSavings([part(0.1, 0.04)]), null);
  assert.equal(combineSavings([part(0.3, 0.03), part(0, 0.03)]), null);
  assert.ok(combineSavings([part(0.3, 0.1), part(0, 0.1)]));
  assert.equal(combineSavings([part(0.1, 0.04), part(0.1, 0)]), null);
  const all = { value: 1, low: 0.5, high: 1, level: 0.9 };
  assert.equal(combineSavings([part(0.1, 0.04), { saving: all, boundary: 2 }]), null);
});

test("The order does not matter; the value is between the two, and the interval is no wider than the better one's at the same boundary", () => {
  const parts = fc.tuple(
    fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    fc.double({ min: 0.02, max: 0.5, noNaN: true }),
    fc.double({ min: 1.6, max: 5, noNaN: true }),
  );
  fc.assert(
    fc.property(parts, parts, (first, second) => {
      const [one, other] = [part(...first), part(...second)];
      const both = combineSavings([one, other]);
      const turned = combineSavings([other, one]);
      if (both === null) {
        assert.equal(turned, null);
        return;
      }
      assert.ok(Math.abs(both.saving.value - (turned?.saving.value ?? 9)) < 1e-9);
      const [least, most] = [one, other].map(({ saving }) => saving.value).toSorted((a, b) => a - b);
      assert.ok((least ?? 9) - 1e-9 <= both.saving.value && both.saving.value <= (most ?? -9) + 1e-9);
      const boundary = Math.max(first[2], second[2]);
      const alone = part(0, Math.min(first[1], second[1]), boundary).saving;
      const width = (saving: SavingPart["saving"]) => Math.log1p(-saving.low) - Math.log1p(-saving.high);
      assert.ok(width(both.saving) <= width(alone) + 1e-9);
      assert.equal(both.boundary, boundary);
    }),
  );
});

test("Among changes without effect, combining shows no more savings than either experiment alone, in any order of looks", () => {
  const random = seededRandom(91);
  const draws = 1200;
  const plans = [10, 36] as const;
  const boundaries = plans.map((planned) => patientBoundaries(0.05, planned));
  for (const order of ["one by one", "the first first", "by chance"] as const) {
    let shown = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const [sums, looks] = [
        [0, 0],
        [0, 0],
      ];
      const units = [0.3 + random.next(), 0.3 + random.next()];
      for (let step = 0; step < 60; step += 1) {
        const which =
          order === "one by one" ? step % 2 : order === "by chance" ? random.below(2) : Number(step >= 12);
        sums[which] = (sums[which] ?? 0) + random.normal();
        looks[which] = (looks[which] ?? 0) + 1;
        const parts = [0, 1].flatMap((own) => {
          const [sum, count, unit] = [sums[own] ?? 0, looks[own] ?? 0, units[own] ?? 1];
          if (count === 0) return [];
          return [part((unit * sum) / count, unit / Math.sqrt(count), boundaries[own]?.at(count) ?? 9)];
        });
        if ((combineSavings(parts)?.saving.low ?? -1) <= 0) continue;
        shown += 1;
        break;
      }
    }
    assert.ok(shown / draws < atMost(0.05, draws), `${order}: ${shown} of ${draws}`);
  }
});
