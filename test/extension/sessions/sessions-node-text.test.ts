import { clockTime } from "../../../src/extension/editor/describe-editor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeText, type NodeTextOptions } from "../../../src/extension/sessions/sessions-node-text.ts";
import type { NodeText } from "../../../src/extension/editor/node-text.ts";
import { now, session, subagent, t, unknown } from "../support/session.ts";

const none = { now, t, isPinned: () => false, isMuted: () => false, namesAgents: false };

function sessionText(changes: Parameters<typeof session>[0] = {}, options: NodeTextOptions = none): NodeText {
  return nodeText({ kind: "session", session: session(changes) }, options);
}

test("a live session: how full it is and how long that lasts, then what it is", () => {
  const { label, description, icon } = sessionText();
  assert.deepEqual([label, description, icon], ["38% · ~14 turns", "Find the hour", "sparkle"]);
});

test("a title that runs from right to left does not reorder the figures beside it", () => {
  assert.equal(sessionText({ title: "إصلاح صفحة" }).description, "\u2068إصلاح صفحة\u2069");
  const line = nodeText(
    { kind: "subagent", session: session(), subagent: subagent({ description: "תיקון" }) },
    none,
  );
  assert.equal(line.label, "10% · \u2068תיקון\u2069");
});

test("the icon shows a live session's danger only", () => {
  assert.equal(sessionText({ advice: "WRAP_UP" }).icon, "warning");
  assert.equal(sessionText({ advice: "END_TURN" }).icon, "error");
  const ended = sessionText({ advice: "END_TURN", live: false, lastActivity: now - 7_200_000 });
  assert.deepEqual(
    [ended.icon, ended.label, ended.description],
    ["history", "38%", "Find the hour · 2 h ago"],
  );
});

test("shows pinned and muted sessions, and sets them for the menus", () => {
  const both = sessionText({}, { ...none, isPinned: () => true, isMuted: () => true });
  assert.equal(both.description, "Find the hour · pinned · muted");
  assert.equal(both.contextValue, "session pinned muted resumable told");
  assert.equal(sessionText().contextValue, "session unpinned unmuted resumable told");
  assert.match(both.spoken ?? "", /pinned · muted/u);
});

test("names the session before or after in a handover before the figures", () => {
  const options = { ...none, linksOf: () => ["handed over to Codex", "continues Claude Code 5a1c6f1e"] };
  assert.equal(
    sessionText({}, options).description,
    "Find the hour · handed over to Codex · continues Claude Code 5a1c6f1e",
  );
});

test("the menu can set the context window of an unknown model", () => {
  assert.match(sessionText({ window: unknown, percent: null }).contextValue, /\bwindowless\b/u);
  assert.doesNotMatch(sessionText({ window: unknown, model: null }).contextValue, /windowless/u);
});

test("a session without a title shows its branch and time", () => {
  assert.equal(sessionText({ title: null }).description, `main · ${clockTime(session().lastActivity ?? 0)}`);
});

test("a subagent shows its task, and whether it still runs", () => {
  const line = (changes: Parameters<typeof subagent>[0]) =>
    nodeText({ kind: "subagent", session: session(), subagent: subagent(changes) }, none);
  const running = line({});
  assert.deepEqual(
    [running.label, running.description, running.icon],
    ["10% · Read the almanac", "general-purpose · 48k tokens · running", "loading~spin"],
  );
  assert.equal(line({ running: false }).icon, "check");
});

test("a project shows its folder's name for any form of path", () => {
  const line = (cwd: string, isHere: boolean) =>
    nodeText({ kind: "project", cwd, isHere, sessions: [session()] }, none);
  const here = line("C:\\work\\harbor", true);
  assert.deepEqual(
    [here.label, here.description, here.tooltip],
    ["harbor", "this window", "C:\\work\\harbor"],
  );
  assert.equal(line("/home/dev/harbor/", false).description, "/home/dev/harbor/");
  assert.equal(line("", false).label, "unknown folder");
});

test("nothing from outside moves a cursor or breaks a line", () => {
  const { description } = sessionText({ title: "a\u001b[31m\nb\u202e" });
  assert.equal(description, "a b");
});

test("an offer names the session that it continues, and shows no trick in its title", () => {
  const line = (title: string | null, program: string | null = "codex") =>
    nodeText(
      {
        kind: "offer",
        session: session(),
        offer: { sessionId: "5a1c6f1e-77", program, title, at: now - 7_200_000, turns: 9 },
      },
      none,
    );
  const { label, description, contextValue } = line("Tides of the harbor");
  assert.deepEqual(
    [label, description, contextValue],
    ["Continue from “Tides of the harbor”", "Codex · 2 h ago", "offer"],
  );
  assert.equal(
    line("Remember the basket of a customer who signs in on another device, and merge it").label,
    "Continue from “Remember the basket of a customer who…”",
  );
  assert.equal(line(null).label, "Continue from Codex 5a1c6f1e");
  assert.equal(line(null, null).label, "Continue from session 5a1c6f1e");
  assert.doesNotMatch(line("\u001B[31mred\u202Egnp\n").label, /[\p{Cc}\u202E]/u);
});
