import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { periodNames } from "../../../src/engine/budget/budget.ts";
import { firstDayKept, isDay, periodStart } from "../../../src/engine/budget/period.ts";
import { formatDay } from "../../../src/engine/usage/local-day.ts";

const at = (year: number, month: number, day: number, hour = 12) =>
  new Date(year, month - 1, day, hour).getTime();

for (const [now, day, week, month] of [
  [at(2026, 11, 18), "2026-11-18", "2026-11-16", "2026-11-01"],
  [at(2026, 11, 16, 0), "2026-11-16", "2026-11-16", "2026-11-01"],
  [at(2026, 11, 22, 23), "2026-11-22", "2026-11-16", "2026-11-01"],
  [at(2027, 1, 1, 0), "2027-01-01", "2026-12-28", "2027-01-01"],
  [at(2028, 2, 29), "2028-02-29", "2028-02-28", "2028-02-01"],
] as const)
  it(`periods that ${day} is in`, () => {
    assert.deepEqual(
      periodNames.map((period) => periodStart(period, now)),
      [null, null, day, week, month],
    );
  });

it("No period that has not ended loses a day", () => {
  const moment = fc.date({ min: new Date(2000, 0), max: new Date(2100, 0), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (date) => {
      const now = date.getTime();
      for (const period of periodNames) {
        const start = periodStart(period, now);
        if (start === null) continue;
        assert.ok(isDay(start));
        assert.ok(firstDayKept(now) <= start && start <= formatDay(date));
      }
    }),
  );
});
