import { clockTime } from "../../../../src/extension/editor/describe-editor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { warningSentence } from "../../../../src/extension/sessions/warnings/warnings-text.ts";
import { measured, session, t, unknown } from "../../support/session.ts";

const goingOn = { coldCall: unknown, here: unknown, fresh: unknown };

test("the warning says which session compacts when", () => {
  const near = session({ percent: 78, turnsLeft: measured(1) });
  assert.equal(
    warningSentence(near, t),
    "Claude Code (Find the hour) compacts in fewer than 4 turns. Details may be lost. 10 more turns: ~$0.90 here, ~$0.20 in a new session.",
  );
  assert.equal(
    warningSentence(session({ turnsLeft: unknown, headroom: measured(9000), title: null, goingOn }), t),
    `Claude Code (harbor · main · ${clockTime(session().lastActivity ?? 0)}) compacts in ~9k tokens. Details may be lost.`,
  );
  assert.equal(
    warningSentence(session({ headroom: unknown, turnsLeft: unknown, percent: 95 }), t),
    "Claude Code (Find the hour): the context is 95% full. Finish or hand over now.",
  );
});

test("text from outside forms no link and stays short", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (title) => {
      const text = warningSentence(session({ title }), t);
      assert.doesNotMatch(text, /\]\(/u);
      assert.ok(text.length < 240, text);
    }),
  );
});
