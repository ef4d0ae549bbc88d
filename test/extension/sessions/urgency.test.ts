import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { statusText } from "../../../src/extension/sessions/status-text.ts";
import { adviceNow } from "../../../src/extension/sessions/status-colours.ts";
import { byUrgency, mostUrgent, needsYou } from "../../../src/extension/sessions/urgency.ts";
import { now, session, t } from "../support/session.ts";

const minute = 60_000;
const options = { now, isMuted: () => false };

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
  const isMuted = ({ id }: { readonly id: string }) => id === "muted";
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
      const urgency = { now, isMuted: ({ id }: { readonly id: string }) => muted.has(id) };
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
        others: { count: others.length, advice: gravest === undefined ? "CONTINUE" : adviceNow(gravest) },
      });
      const acting = [...others, shown].map(adviceNow);
      const expected = acting.includes("END_TURN")
        ? "error"
        : acting.includes("WRAP_UP")
          ? "warning"
          : "default";
      assert.equal(text.severity, expected);
      const needing = live.filter((each) => needsYou(each, urgency));
      assert.equal(others.length, needing.filter((each) => each !== shown).length);
      const isCalm = adviceNow(shown) === "CONTINUE";
      assert.equal(text.text.includes(`+${others.length} $(warning)`), others.length > 0 && isCalm);
      assert.equal(/needs? you/u.test(text.spoken), others.length > 0);
    }),
  );
});

test("advice for a session that has ended, or about which little is known, is to go on", () => {
  assert.equal(adviceNow(session({ advice: "END_TURN" })), "END_TURN");
  assert.equal(adviceNow(session({ advice: "END_TURN", live: false })), "CONTINUE");
  assert.equal(adviceNow(session({ advice: null })), "CONTINUE");
});
