import assert from "node:assert/strict";
import { test } from "node:test";
import { mostUrgent } from "../../../src/extension/sessions/most-urgent.ts";
import { now, session } from "../support/session.ts";

const minute = 60_000;

test("the session with the gravest advice is shown before the most recent one", () => {
  const calm = session({ id: "calm", advice: "CONTINUE", lastActivity: now });
  const full = session({ id: "full", agent: "codex", advice: "END_TURN", lastActivity: now - minute });
  const filling = session({ id: "filling", advice: "WRAP_UP", lastActivity: now - 2 * minute });
  assert.equal(mostUrgent([calm, full, filling], now), full);
  assert.equal(mostUrgent([calm, filling], now), filling);
});

test("of equal ones the most recent is shown, and an unknown window alarms nobody", () => {
  const first = session({ id: "first", advice: "WRAP_UP", lastActivity: now });
  const second = session({ id: "second", advice: "WRAP_UP", lastActivity: now - 1 });
  const unknown = session({ id: "unknown", advice: null, lastActivity: now });
  assert.equal(mostUrgent([first, second], now), first);
  assert.equal(mostUrgent([unknown, second], now), second);
});

test("a full session that has been silent for ten minutes gives way", () => {
  const busy = session({ id: "busy", advice: "CONTINUE", lastActivity: now });
  const idle = session({ id: "idle", advice: "END_TURN", lastActivity: now - 10 * minute });
  assert.equal(mostUrgent([busy, idle], now), busy);
  assert.equal(mostUrgent([idle], now), idle, "where nothing else is live");
  assert.equal(mostUrgent([], now), undefined);
});
