import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  dueSlot,
  isTaken,
  lastSlotBefore,
  maxAheadMs,
  nextSlot,
  usualGap,
} from "../../../../src/engine/recurring/wake/due.ts";

const at = Date.parse("2026-11-27T09:10:00Z");
const every = { schedule: "*/10 * * * *", timezone: "UTC" };
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(11, 19));

describe("slots of a schedule", () => {
  it("are found before and after a time, the time itself included", () => {
    assert.equal(iso(lastSlotBefore(every, at)), "09:10:00");
    assert.equal(iso(lastSlotBefore(every, at + 999)), "09:10:00");
    assert.equal(iso(lastSlotBefore(every, at - 1)), "09:00:00");
    assert.equal(iso(nextSlot(every, at)), "09:20:00");
    assert.equal(lastSlotBefore({ schedule: undefined, timezone: undefined }, at), null);
    assert.equal(usualGap(every, at), 600_000);
  });

  it("of the local clock come once when it is set forward or back", () => {
    const nightly = { schedule: "30 2 * * *", timezone: "Europe/Berlin" };
    const seen = new Set<number>();
    for (
      let now = Date.parse("2026-10-24T00:00:00Z");
      now < Date.parse("2026-10-27T00:00:00Z");
      now += 600_000
    )
      seen.add(lastSlotBefore(nightly, now) ?? 0);
    // One before the first night, and one each night.
    assert.equal(seen.size, 4);
  });

  it("are due once in any order of the clock, and missed ones together", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000_000, max: 40_000_000 }), { maxLength: 30 }), (steps) => {
        let now = at;
        let furthest = at;
        let lastSlot: number | null = null;
        const woken: number[] = [];
        for (const step of steps) {
          // A clock that is set back by more was wrong before.
          now = Math.max(now + step, furthest - maxAheadMs);
          furthest = Math.max(furthest, now);
          const slot = dueSlot(every, { lastSlot, knownSince: at, now });
          if (slot === null) continue;
          assert.ok(slot <= now && slot > at);
          woken.push(slot);
          lastSlot = slot;
          assert.equal(dueSlot(every, { lastSlot, knownSince: at, now }), null);
        }
        assert.deepEqual(
          woken,
          woken.toSorted((one, other) => one - other),
        );
        assert.equal(new Set(woken).size, woken.length);
      }),
    );
  });

  it("are due again once a clock that was far ahead is set back, and then once", () => {
    for (const ahead of [3 * 3_600_000, 86_400_000, 366 * 86_400_000]) {
      const slot = dueSlot(every, { lastSlot: at + ahead, knownSince: at - 1, now: at });
      assert.equal(iso(slot), "09:10:00");
      assert.equal(dueSlot(every, { lastSlot: slot, knownSince: at - 1, now: at }), null);
      assert.equal(iso(dueSlot(every, { lastSlot: null, knownSince: at + ahead, now: at })), "09:10:00");
      assert.equal(isTaken(at, { lastSlot: at + ahead, now: at }), false);
    }
    for (const ahead of [0, 600_000, maxAheadMs])
      assert.equal(dueSlot(every, { lastSlot: at + ahead, knownSince: at - 1, now: at }), null);
  });
});
