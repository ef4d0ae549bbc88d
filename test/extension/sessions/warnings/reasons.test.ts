import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { warnedSession, warningsFor } from "../../../../src/extension/sessions/warnings/warnings-text.ts";
import { adviceOf, now, session } from "../../support/session.ts";

const options = { colours: "advice", adviceOf, warnTurns: 3, since: now - 60_000 } as const;
const turnsLeft = (value: number) => ({ value, provenance: "estimated", source: plainSentence("") }) as const;

test("nothing interrupts while there is room", () => {
  assert.deepEqual(warningsFor(session(), options), []);
});

test("each threshold is a reason, compaction near the most urgent one", () => {
  assert.deepEqual(warningsFor(session({ advice: "WRAP_UP" }), options), ["WRAP_UP"]);
  assert.deepEqual(warningsFor(session({ advice: "END_TURN" }), options), ["END_TURN"]);
  assert.deepEqual(warningsFor(session({ advice: "END_TURN", turnsLeft: turnsLeft(3) }), options), [
    "COMPACTION",
    "END_TURN",
  ]);
  assert.deepEqual(warningsFor(session({ turnsLeft: turnsLeft(4) }), options), []);
});

test("warns only before compaction where colours show the room left: by turns or by the room", () => {
  const left = { ...options, colours: "left" } as const;
  assert.deepEqual(warningsFor(session({ advice: "WRAP_UP" }), left), []);
  assert.deepEqual(warningsFor(session({ turnsLeft: turnsLeft(4) }), left), []);
  assert.deepEqual(warningsFor(session({ turnsLeft: turnsLeft(3) }), left), ["COMPACTION"]);
  assert.deepEqual(warningsFor(session({ advice: "END_TURN" }), left), ["COMPACTION"]);
  assert.deepEqual(warningsFor(session({ advice: "END_TURN" }), { ...left, warnTurns: 0 }), []);
});

test("0 turns turns the compaction warning off", () => {
  const near = session({ turnsLeft: turnsLeft(0) });
  assert.deepEqual(warningsFor(near, { ...options, warnTurns: 0 }), []);
});

test("does not warn about a session idle since before the window opened, or one that is not live", () => {
  const before = session({ advice: "END_TURN", lastActivity: now - 61_000 });
  assert.deepEqual(warningsFor(before, options), []);
  assert.deepEqual(warningsFor(session({ advice: "END_TURN", live: false }), options), []);
});

test("the warned session is named by its title, else by its model, and by its place", () => {
  assert.equal(warnedSession(session()), "Claude Code · Find the hour · harbor (main)");
  assert.equal(warnedSession(session({ title: null })), "Claude Code · claude-sonnet-4-6 · harbor (main)");
});
