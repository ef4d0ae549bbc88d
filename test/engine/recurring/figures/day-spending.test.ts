import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  usedToday,
  withSpent,
  type DaySpending,
} from "../../../../src/engine/recurring/figures/day-spending.ts";
import { readState, withEnded } from "../../../../src/engine/recurring/wake/recurring-wake-state.ts";
import { wake } from "../../../extension/support/recurring.ts";

const day = 86_400_000;
const start = 20_000 * day;
const wakeOf = (at: number, tokens: number) =>
  wake({ at, input: tokens, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 5 });

test("a day's usage is complete, though only the newest wakes are stored", () => {
  let { state } = readState("/nowhere");
  for (let minute = 0; minute < 300; minute++) {
    state = withEnded(state, wakeOf(start + minute * 60_000, 1000), {});
    state = { ...state, recent: state.recent.slice(-100) };
  }
  assert.equal(usedToday(state, start + day - 1), 300_000);
  assert.equal(usedToday(state, start + day), 0);
});

test("a day's sum is that of its wakes, in any order of the clock", () => {
  const wakes = fc.array(fc.record({ at: fc.nat(2 * day), tokens: fc.nat(1000) }), { maxLength: 30 });
  fc.assert(
    fc.property(wakes, (all) => {
      const rows = all.map(({ at, tokens }) => wakeOf(start + at, tokens));
      const spent = rows.reduce<DaySpending[]>(withSpent, []);
      for (const now of [0, 1, 2].map((days) => start + days * day)) {
        const own = all.filter(({ at }) => Math.floor(at / day) === (now - start) / day);
        const sum = own.reduce((total, { tokens }) => total + tokens, 0);
        assert.equal(usedToday({ spent, recent: [] }, now), sum);
        assert.equal(usedToday({ spent: [], recent: rows }, now), sum, "by an earlier version's state");
      }
    }),
  );
});
