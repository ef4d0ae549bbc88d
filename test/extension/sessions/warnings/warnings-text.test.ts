import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  noticeText,
  warningSentence,
  type WarningKind,
} from "../../../../src/extension/sessions/warnings/warnings-text.ts";
import type { SessionSnapshot } from "../../../../src/engine/sessions/snapshot.ts";
import { measured, session, t, unknown } from "../../support/session.ts";

const options = { t, canHandOver: true, namesSession: false };
/** The text as a person reads it: of a link, its label. */
const read = (message: string) => message.replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/gu, "$1");

test("the sentence says what happened and what to do", () => {
  const near = session({ percent: 78, turnsLeft: measured(1) });
  const said = (kind: WarningKind, of: SessionSnapshot, canHandOver = true) =>
    warningSentence(kind, of, { t, canHandOver });
  assert.equal(
    said("COMPACTION", near),
    "Keep the details: hand over now. Compaction comes in about 1 turn.",
  );
  assert.equal(
    said("COMPACTION", session({ turnsLeft: measured(0.4) }), false),
    "Keep the details: end the turn now. Compaction comes in less than a turn.",
  );
  const unknownRoom = session({ percent: 78, turnsLeft: unknown, headroom: measured(9000) });
  assert.equal(
    said("COMPACTION", unknownRoom),
    "Keep the details: hand over now. Compaction comes in ~9k tokens.",
  );
  assert.equal(
    said("WRAP_UP", session({ percent: 55 })),
    "Finish this task, start nothing new: the context is 55% full.",
  );
  const full = session({ percent: 71 });
  assert.equal(said("END_TURN", full), "Keep the details: hand over now. The context is 71% full.");
  assert.equal(said("END_TURN", full, false), "Keep the details: end the turn now. The context is 71% full.");
});

test("the sentence and its action fit into two lines", () => {
  const message = noticeText("COMPACTION", session({ percent: 78, turnsLeft: measured(2) }), options);
  assert.equal(
    read(message),
    "Keep the details: hand over now. Compaction comes in about 2 turns. Hand Over… · Open · Mute · Stop Warnings",
  );
  assert.match(
    message,
    /\(command:purser\.answerWarning\?%5B%225f0c0000-[0-9a-f-]+%22%2C%22handOver%22%5D\)/u,
  );
});

test("names the session among several, and offers no handover if it is impossible", () => {
  const message = noticeText("WRAP_UP", session({ percent: 55 }), {
    t,
    canHandOver: false,
    namesSession: true,
  });
  assert.equal(
    read(message),
    "Find the hour · Finish this task, start nothing new: the context is 55% full. Open · Mute · Stop Warnings",
  );
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
