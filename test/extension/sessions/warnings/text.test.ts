import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { noticeText, warningSentence } from "../../../../src/extension/sessions/warnings/text.ts";
import { measured, session, t, unknown } from "../../support/session.ts";

const options = { t, canHandOver: true, namesSession: false };
/** The text as a person reads it: of a link, its label. */
const read = (message: string) => message.replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/gu, "$1");

test("the sentence says what happened and what to do", () => {
  const near = session({ percent: 78, turnsLeft: measured(1) });
  assert.equal(warningSentence("COMPACTION", near, t), "78% full, ~1 turn left.");
  const untold = session({ percent: 78, turnsLeft: unknown, headroom: measured(9000) });
  assert.equal(warningSentence("COMPACTION", untold, t), "78% full, ~9k tokens left.");
  assert.equal(warningSentence("WRAP_UP", session({ percent: 55 }), t), "55% full, wrap up.");
  assert.equal(warningSentence("END_TURN", session({ percent: 71 }), t), "71% full, end the turn.");
});

test("one line has room for the sentence and what can be done at once", () => {
  const message = noticeText("COMPACTION", session({ percent: 78, turnsLeft: measured(2) }), options);
  assert.equal(read(message), "78% full, ~2 turns left. Hand Over… · Open · Mute · Turn Off");
  assert.match(
    message,
    /\(command:purser\.answerWarning\?%5B%225f0c0000-[0-9a-f-]+%22%2C%22handOver%22%5D\)/u,
  );
});

test("of several sessions it names the one it is about; one that cannot be handed over is not offered to", () => {
  const message = noticeText("WRAP_UP", session({ percent: 55 }), {
    t,
    canHandOver: false,
    namesSession: true,
  });
  assert.equal(read(message), "Find the hour: 55% full, wrap up. Open · Mute · Turn Off");
});

test("no title of a session becomes a link", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("[", "]", "(", ")", "a", "command:", " ") }), (title) => {
      const message = noticeText("WRAP_UP", session({ title }), { ...options, namesSession: true });
      const links = message.match(/\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+\)/gu) ?? [];
      assert.ok(links.every((link) => link.includes("command:purser.answerWarning")));
      assert.equal(links.length, 4);
    }),
  );
});
