import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adviceLevels, urgency, type Advice } from "../../../src/engine/sessions/advice.ts";
import { ActNow, adviceByRoom } from "../../../src/extension/sessions/status-colours.ts";
import { measured, session, unknown } from "../support/session.ts";

const room = (turns: number | null, left: number, changes: object = {}) =>
  session({
    turnsLeft: turns === null ? unknown : measured(turns),
    headroom: measured(left),
    threshold: measured(100_000),
    ...changes,
  });

const cases: readonly [turns: number | null, left: number, advice: Advice][] = [
  [7, 21_000, "CONTINUE"],
  [6, 90_000, "WRAP_UP"],
  [null, 20_000, "WRAP_UP"],
  [40, 20_000, "WRAP_UP"],
  [3, 9000, "WRAP_UP"],
  [2, 90_000, "END_TURN"],
  [null, 8000, "END_TURN"],
  [0, 0, "END_TURN"],
];
for (const [turns, left, advice] of cases)
  test(`${turns ?? "unknown"} turns and ${left / 1000} % of the room: ${advice}`, () => {
    assert.equal(adviceByRoom(room(turns, left)), advice);
  });

test("uses the window as room if nothing compacts automatically, and raises no alarm if neither is known", () => {
  const endless = { headroom: unknown, threshold: unknown, turnsLeft: unknown };
  const at = (tokens: number) =>
    session({ ...endless, window: measured(100_000), occupancy: measured(tokens) });
  assert.equal(adviceByRoom(at(79_000)), "CONTINUE");
  assert.equal(adviceByRoom(at(80_000)), "WRAP_UP");
  assert.equal(adviceByRoom(at(92_000)), "END_TURN");
  assert.equal(adviceByRoom(session({ ...endless, window: unknown })), "CONTINUE");
  assert.equal(
    adviceByRoom(session({ ...endless, window: measured(0), occupancy: measured(0) })),
    "CONTINUE",
  );
});

test("a figure that hovers at a limit does not flicker, and a compaction resets the advice", () => {
  const now = new ActNow(() => "left");
  assert.equal(now.of(room(6, 50_000)), "WRAP_UP");
  assert.equal(now.of(room(7, 50_000)), "WRAP_UP");
  assert.equal(now.of(room(8, 50_000)), "CONTINUE");
  assert.equal(now.of(room(8, 20_000)), "WRAP_UP");
  assert.equal(now.of(room(8, 22_000)), "WRAP_UP");
  assert.equal(now.of(room(8, 22_000, { compactions: 1 })), "CONTINUE");
});

test("an ended session needs nothing, and one that is gone is forgotten", () => {
  const now = new ActNow(() => "left");
  assert.equal(now.of(room(0, 0, { live: false })), "CONTINUE");
  assert.equal(now.of(room(6, 50_000)), "WRAP_UP");
  now.keep([]);
  assert.equal(now.of(room(7, 50_000)), "CONTINUE");
});

test("uses the thresholds of advice if the user chose them", () => {
  const now = new ActNow(() => "advice");
  assert.equal(now.of(room(1, 0, { advice: "CONTINUE" })), "CONTINUE");
  assert.equal(now.of(room(50, 90_000, { advice: "END_TURN" })), "END_TURN");
  assert.equal(now.of(room(1, 0, { advice: null })), "CONTINUE");
});

const anyFigure = fc.option(fc.integer({ min: -5, max: 1_000_000 }), { nil: null });
const made = fc
  .record({
    turns: anyFigure,
    left: anyFigure,
    threshold: anyFigure,
    occupancy: anyFigure,
    window: anyFigure,
  })
  .map(({ turns, left, threshold, occupancy, window }) => {
    const figure = (value: number | null) => (value === null ? unknown : measured(value));
    return session({
      turnsLeft: figure(turns),
      headroom: figure(left),
      threshold: figure(threshold),
      occupancy: figure(occupancy),
      window: figure(window),
    });
  });

test("earlier advice delays easing but never raising, and repeating it changes nothing", () => {
  fc.assert(
    fc.property(made, fc.constantFrom(...adviceLevels), (each, before) => {
      const fresh = adviceByRoom(each);
      const said = adviceByRoom(each, before);
      assert.ok(urgency(said) >= urgency(fresh));
      assert.ok(urgency(said) <= Math.max(urgency(fresh), urgency(before)));
      assert.equal(adviceByRoom(each, said), said);
    }),
  );
});
