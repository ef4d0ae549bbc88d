import assert from "node:assert/strict";
import { test } from "node:test";
import { isWarningDue, warnedSession } from "../../../../src/extension/sessions/warnings/warnings-text.ts";
import { Interruptions } from "../../../../src/extension/services.ts";
import { now, session } from "../../support/session.ts";

const since = now - 60_000;

test("only the advice to end the turn interrupts", () => {
  assert.equal(isWarningDue(session(), since), false);
  assert.equal(isWarningDue(session({ advice: "WRAP_UP" }), since), false);
  assert.equal(isWarningDue(session({ advice: "END_TURN" }), since), true);
});

test("does not warn about a session idle since before the window opened, or one that is not live", () => {
  assert.equal(isWarningDue(session({ advice: "END_TURN", lastActivity: now - 61_000 }), since), false);
  assert.equal(isWarningDue(session({ advice: "END_TURN", live: false }), since), false);
});

test("the warned session is named by its title, else by its model, and by its place", () => {
  assert.equal(warnedSession(session()), "Claude Code · Find the hour · harbor (main)");
  assert.equal(warnedSession(session({ title: null })), "Claude Code · claude-sonnet-4-6 · harbor (main)");
});

test("half an hour lies between two notifications that nobody asked for, also if the clock is set back", () => {
  let time = now;
  const interruptions = new Interruptions(() => time);
  assert.equal(interruptions.take(), true);
  time += 29 * 60_000;
  assert.equal(interruptions.take(), false);
  time += 60_000;
  assert.equal(interruptions.take(), true);
  time -= 86_400_000;
  assert.equal(interruptions.take(), true, "the clock was set back a day");
});
