import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { statusText } from "../../../src/extension/sessions/status-text.ts";
import {
  byUrgency,
  mostUrgent,
  needsYou,
  ActNow,
  adviceByRoom,
} from "../../../src/extension/sessions/urgency.ts";
import { adviceOf, now, session, t, measured, unknown } from "../support/session.ts";
import { adviceLevels, urgency, type Advice } from "../../../src/engine/sessions/advice.ts";

const minute = 60_000;
const options = { now, adviceOf, isMuted: () => false };

test("the session with the gravest advice is shown before the most recent one", () => {
  const calm = session({ id: "calm", advice: "CONTINUE", lastActivity: now });
  const full = session({ id: "full", agent: "codex", advice: "END_TURN", lastActivity: now - minute });
  const filling = session({ id: "filling", advice: "WRAP_UP", lastActivity: now - 2 * minute });
  assert.equal(mostUrgent([calm, full, filling], options), full);
  assert.equal(mostUrgent([calm, filling], options), filling);
});

test("shows the most recent of equal sessions, and ignores an unknown window", () => {
  const first = session({ id: "first", advice: "WRAP_UP", lastActivity: now });
  const second = session({ id: "second", advice: "WRAP_UP", lastActivity: now - 1 });
  const unknown = session({ id: "unknown", advice: null, lastActivity: now });
  assert.equal(mostUrgent([first, second], options), first);
  assert.equal(mostUrgent([unknown, second], options), second);
});

test("a full session that has been silent for ten minutes gives way", () => {
  const busy = session({ id: "busy", advice: "CONTINUE", lastActivity: now });
  const idle = session({ id: "idle", advice: "END_TURN", lastActivity: now - 10 * minute });
  assert.equal(mostUrgent([busy, idle], options), busy);
  assert.equal(mostUrgent([idle], options), idle, "where nothing else is live");
  assert.equal(mostUrgent([], options), undefined);
});

test("a muted session neither takes over the status bar nor needs the user", () => {
  const muted = session({ id: "muted", advice: "END_TURN", lastActivity: now });
  const filling = session({ id: "filling", advice: "WRAP_UP", lastActivity: now - 1 });
  const isMuted = (id: string) => id === "muted";
  assert.equal(mostUrgent([muted, filling], { ...options, isMuted }), filling);
  assert.equal(needsYou(muted, { ...options, isMuted }), false);
  assert.equal(needsYou(muted, options), true);
});

const sessions = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    advice: fc.constantFrom("CONTINUE", "WRAP_UP", "END_TURN", null),
    lastActivity: fc.integer({ min: now - 20 * minute, max: now }),
    live: fc.boolean(),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 8 },
);

test("the bar has the colour of the gravest session that needs a person, whichever it shows", () => {
  fc.assert(
    fc.property(sessions, fc.nat(), fc.nat(255), (made, pinned, mask) => {
      const all = made.map((changes) => session(changes));
      const muted = new Set(all.filter((_, index) => (mask & (1 << index)) > 0).map(({ id }) => id));
      const urgency = { now, adviceOf, isMuted: (id: string) => muted.has(id) };
      const live = all.filter((each) => each.live);
      // Half of the time nothing is pinned.
      const shown = pinned % 2 === 0 ? mostUrgent(live, urgency) : all[pinned % all.length];
      if (shown === undefined) return;
      const others = byUrgency(
        live.filter((each) => each !== shown),
        urgency,
      ).filter((each) => needsYou(each, urgency));
      const [gravest] = others;
      const text = statusText(shown, {
        percentOf: "window",
        now,
        t,
        adviceOf,
        others: { count: others.length, advice: gravest === undefined ? "CONTINUE" : adviceOf(gravest) },
      });
      const acting = [...others, ...(shown.live ? [shown] : [])].map(adviceOf);
      const expected = acting.includes("END_TURN")
        ? "error"
        : acting.includes("WRAP_UP")
          ? "warning"
          : "default";
      assert.equal(text.severity, expected);
      const needing = live.filter((each) => needsYou(each, urgency));
      assert.equal(others.length, needing.filter((each) => each !== shown).length);
      assert.equal(text.text.includes(`+${others.length} $(warning)`), others.length > 0);
      assert.equal(/needs? you/u.test(text.spoken), others.length > 0);
    }),
  );
});

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
