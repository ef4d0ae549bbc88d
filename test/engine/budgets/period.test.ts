import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { periodNames } from "../../../src/engine/budgets/budget.ts";
import { firstDayKept, isDay, lastDayCounted, periodStart } from "../../../src/engine/budgets/period.ts";
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

it("No current period loses a day", () => {
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

for (const zone of [
  "Europe/Berlin",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Apia",
])
  it(`Every hour of years with changes to summer time is in its own day, week and month: ${zone}`, (t) => {
    const { TZ: before } = process.env;
    t.after(() => {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    });
    process.env["TZ"] = zone;
    const dayIn = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    const hour = 3_600_000;
    for (const year of [2011, 2018, 2026])
      for (let now = Date.UTC(year, 0, 3); now < Date.UTC(year, 11, 30); now += hour) {
        const day = dayIn.format(now);
        const week = periodStart("week", now) ?? "";
        assert.equal(periodStart("day", now), day);
        assert.equal(periodStart("month", now), `${day.slice(0, 7)}-01`);
        assert.equal(new Date(`${week}T00:00:00Z`).getUTCDay(), 1);
        const days = (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${week}T00:00:00Z`)) / (24 * hour);
        assert.ok(days >= 0 && days < 7, `${day} is in the week of ${week}`);
        const next = lastDayCounted("day", now);
        // Samoa had no 30 December in 2011.
        const ahead = (Date.parse(next) - Date.parse(day)) / (24 * hour);
        assert.ok(ahead === 1 || (next === "2011-12-31" && ahead === 2), `${next} is after ${day}`);
      }
  });
